// SPDX-License-Identifier: MIT
// The page: what it carries is shown, what is dropped on it too.
import { FEATURES, LAWS, RESULT, type Body, type Law, type Model, type TrackOptions, type WitnessLibrary } from '../../wasm/src/core.js';
import { readReport, type Frame, type Report, type Run } from './data.js';
import { button, choice, el, toggle } from './dom.js';
import { openFiles, type Dropped } from './drop.js';
import { showHelp } from './help.js';
import { Live } from './live.js';
import type { SideText } from './protocol.js';
import { Readout } from './readout.js';
import { Replay } from './replay.js';
import { runScene, sceneText, type SideFile } from './scenes.js';
import { Stage, THEMES } from './stage.js';
import { Cancelled } from './step_file.js';
import type { Note } from './step/convert.js';
import { digits } from './state.js';

type ThemeName = 'light' | 'dark';
type Mode = 'replay' | 'live' | 'haptic' | 'basin';

/** Two sides to look at, from a run or from a model. */
interface Subject {
  name: string;
  unit: string;
  texts: string[];
  sides: [SideText, SideText];
  bodies: [Body | null, Body | null];
  names: [string, string];
  poses: [number[], number[]];
}

const BASIN_COLORS = [[0, 0, 0], [0, 114, 178], [230, 159, 0], [150, 156, 166]];

export class App {
  private readonly root = document.getElementById('app')!;
  private readonly stage: Stage;
  private readonly readout = new Readout();
  private readonly replay: Replay;
  private readonly live: Live;
  private readonly title = el('span', { class: 'name', id: 'name' }, '');
  private readonly runs = el('select', { id: 'runs', 'aria-label': 'Run', hidden: true });
  private readonly modes = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Mode' });
  private readonly tree = el('ul', { class: 'tree' });
  private readonly alert = el('div', { class: 'alert', role: 'alert', id: 'alert' });
  private readonly rate = el('span', { class: 'rate', id: 'rate' }, '');
  private readonly canvas = el('canvas', { id: 'view', tabindex: 0, role: 'img', 'aria-label': 'The bodies' });
  private readonly side = el('aside', { class: 'side' });
  private readonly basinCard: HTMLElement;
  private readonly basinText = el('p', { class: 'why', id: 'basin-text' }, '');
  private readonly pressed = new Map<string, HTMLButtonElement>();
  private readonly hint: HTMLElement;
  private theme: ThemeName = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  private report: Report | null = null;
  private subject: Subject | null = null;
  private mode: Mode = 'replay';
  private section = -1;
  private sectionAt = 0.5;
  private frame: Frame | null = null;
  private basinLaw: Law = 'switching';
  private pictures: number[] = [];
  private end: () => void = () => {};
  private counted = 0;
  private drawn = 0;
  private unsaid = false;
  private said = 0;

  constructor(private readonly library: WitnessLibrary, private readonly wasm: Uint8Array) {
    this.hint = el('div', { class: 'hint' }, el('div', {}, el('h2', {}, 'Drop a file here'),
      'A model (JSON or STEP), a scene with the models it names, or a report. Nothing leaves this machine.'));
    const stage = el('section', { class: 'stage', 'aria-label': 'View' }, this.canvas, this.readout.badge, this.hint, this.tools(), this.rate);
    this.root.replaceChildren(this.header(), this.alert, stage, this.side);
    this.stage = new Stage(this.canvas);
    this.replay = new Replay(this.stage, (f) => this.show(f));
    this.live = new Live(this.stage, (f) => this.show(f), (t, p, m) => this.recorded(t, p, m));
    this.basinCard = this.makeBasinCard();
    this.side.append(this.readout.root, this.bodiesCard(), this.live.card, this.basinCard, this.replay.events, this.viewCard());
    this.root.append(this.replay.root, this.live.bottom);
    this.setTheme(this.theme);
    this.showParts();
    addEventListener('keydown', (e) => this.key(e));
    this.takeDrops();
    const draw = (now: number): void => {
      requestAnimationFrame(draw);
      this.replay.tick(now);
      this.live.tick(now);
      if (this.unsaid && now - this.said > 100) this.say(now);
      if (this.stage.draw(now)) this.count(now);
    };
    requestAnimationFrame(draw);
  }

  // ---- parts

  private header(): HTMLElement {
    const file = el('input', { type: 'file', multiple: true, class: 'visually-hidden', id: 'file', tabindex: -1, 'aria-label': 'Files', accept: '.json,.bpt,.step,.stp,.html,.htm' });
    file.addEventListener('change', () => void this.take([...(file.files ?? [])]));
    return el('header', {}, el('h1', {}, el('b', {}, '◐'), 'Witness'), this.runs, this.title, el('span', { class: 'space' }), this.modes, file,
      button('Open…', 'Open files', () => file.click(), { id: 'open' }),
      button('◑', 'Light or dark (t)', () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark'), { id: 'theme' }),
      button('?', 'Keys and help (?)', () => showHelp(), { id: 'help' }));
  }

  private tools(): HTMLElement {
    const press = (key: string, label: string, title: string, run: () => void, pressed?: boolean): HTMLButtonElement => {
      const b = button(label, title, run, { id: key, ...(pressed === undefined ? {} : { 'aria-pressed': String(pressed) }) });
      this.pressed.set(key, b);
      return b;
    };
    return el('div', { class: 'tools' },
      press('fit', 'Fit', 'Show everything (f)', () => this.stage.fit()),
      press('gap', 'Zoom to gap', 'Close to the witnesses (g)', () => this.stage.zoomToGap()),
      press('ortho', 'Ortho', 'Orthographic or perspective (o)', () => this.setOrthographic(!this.stage.orthographic), false));
  }

  private setOrthographic(on: boolean): void {
    this.stage.setOrthographic(on);
    this.pressed.get('ortho')!.setAttribute('aria-pressed', String(on));
  }

  private bodiesCard(): HTMLElement {
    return el('section', { class: 'card', 'aria-label': 'Bodies' }, el('h2', {}, 'Bodies'), this.tree);
  }

  private viewCard(): HTMLElement {
    const s = this.stage.shown;
    const change = (key: keyof typeof s) => (on: boolean): void => {
      s[key] = on;
      this.stage.apply();
      if (this.frame) this.stage.show(this.frame);
    };
    const at = el('input', { type: 'range', min: 0, max: 100, value: 50, 'aria-label': 'Place of the section' });
    at.addEventListener('input', () => {
      this.sectionAt = Number(at.value) / 100;
      this.stage.setSection(this.section, this.sectionAt);
    });
    return el('section', { class: 'card', 'aria-label': 'View' }, el('h2', {}, 'View'),
      el('div', { class: 'row' },
        toggle('Edges', s.edges, change('edges')), toggle('Normal', s.normals, change('normals')), toggle('Trails', s.trails, change('trails')),
        toggle('Frames overlaid', s.ghosts, change('ghosts')), toggle('X-ray', s.xray, change('xray'))),
      choice('Section', [['-1', 'none'], ['0', 'across x'], ['1', 'across y'], ['2', 'across z']], '-1', (v) => {
        this.section = Number(v);
        this.stage.setSection(this.section, this.sectionAt);
      }, 'section'), at);
  }

  private makeBasinCard(): HTMLElement {
    const keys = [['reached', 'the closest point is reached'], ['elsewhere', 'it settles elsewhere'], ['lost', 'it does not settle']];
    return el('section', { class: 'card', 'aria-label': 'Basin' }, el('h2', {}, 'Basin of a law'),
      el('p', { class: 'why' }, 'Every place of the face as a start, with the bodies at rest: where does the law end?'),
      choice('Law', LAWS.filter((l) => l !== 'findmin').map((l) => [l, l.replace(/_/g, ' ')]), this.basinLaw, (v) => {
        this.basinLaw = v as Law;
        void this.paintBasin();
      }, 'basin-law'),
      el('div', { class: 'legend basin' }, ...keys.map(([k, text]) => el('span', { class: 'key' }, el('i', { class: `basin-${k}` }), text))), this.basinText);
  }

  // ---- looks

  private setTheme(name: ThemeName): void {
    this.theme = name;
    document.documentElement.dataset['theme'] = name;
    this.stage.setTheme(THEMES[name]);
    this.replay.setInk(this.ink(), this.fills());
    this.live.strip.ink = this.ink();
    this.live.strip.draw();
    this.setTree();
  }

  private ink(): { text: string; grid: string; cursor: string } {
    const dark = this.theme === 'dark';
    return { text: dark ? '#b9c6d6' : '#445264', grid: dark ? '#2b3646' : '#dfe5ed', cursor: dark ? '#ffffff' : '#111827' };
  }

  private fills(): [string, string] {
    return this.theme === 'dark' ? ['#8fa9c9', '#c7b487'] : ['#b7cbe4', '#e6d3a8'];
  }

  private setTree(): void {
    const s = this.subject;
    if (!s) return;
    this.tree.replaceChildren(...s.names.map((name, i) => {
      const body = s.bodies[i as 0 | 1];
      const swatch = el('span', { class: 'swatch' });
      const color = body ? THEMES[this.theme].bodies[i]! : THEMES[this.theme].witness[i]!;
      swatch.style.background = '#' + color.toString(16).padStart(6, '0');
      const visible = toggle(name, this.stage.figures[i]?.group.visible ?? true, (on) => {
        const f = this.stage.figures[i];
        if (f) f.group.visible = on;
        this.stage.touch();
      }, 'Show or hide');
      const what = body ? `${body.kind}, ${body.faceCount} faces, ${body.edgeCount} edges` : 'point';
      return el('li', {}, swatch, visible, el('span', { class: 'what' }, what));
    }));
  }

  /** Numbers that run by are written ten times a second: nobody reads faster. */
  private show(f: Frame): void {
    this.frame = f;
    this.unsaid = true;
    if (!this.live.active && !this.replay.runs) this.say(performance.now());
  }

  private say(now: number): void {
    this.unsaid = false;
    this.said = now;
    if (!this.frame) return;
    this.readout.show(this.frame);
    this.canvas.setAttribute('aria-label', this.readout.sentence(this.frame));
  }

  private count(now: number): void {
    this.drawn++;
    this.pictures.push(now);
    while (this.pictures.length && now - this.pictures[0]! > 1000) this.pictures.shift();
    if (now - this.counted < 250) return;
    this.counted = now;
    this.rate.dataset['drawn'] = String(this.drawn);
    this.rate.textContent = this.pictures.length > 5 ? `${this.pictures.length} pictures/s` : '';
  }

  // ---- modes

  private setMode(mode: Mode): void {
    if (this.mode === 'live' || this.mode === 'haptic') this.live.leave();
    if (this.mode === 'basin') this.stage.figures[0]?.paint(0, 0, null, []);
    this.mode = mode;
    this.replay.pause();
    this.readout.clear();
    this.showParts();
    if (mode === 'replay') this.replay.show();
    else if (mode === 'basin') {
      this.replay.show();
      if (!this.replay.current) this.showQuery();
      void this.paintBasin();
    } else this.live.enter(mode === 'haptic' ? 'haptic' : 'track');
    this.stage.touch();
  }

  private showParts(): void {
    const live = this.mode === 'live' || this.mode === 'haptic';
    this.live.card.hidden = this.live.bottom.hidden = !live;
    this.replay.root.hidden = live || !this.replay.current;
    this.replay.events.hidden = live || !this.replay.current;
    this.basinCard.hidden = this.mode !== 'basin';
    this.hint.hidden = this.subject !== null;
    const words: Record<Mode, string> = { replay: 'Replay', live: 'Live', haptic: 'Force', basin: 'Basin' };
    const there = (Object.keys(words) as Mode[]).filter((m) => this.subject && (m !== 'replay' || this.replay.current)
      && (m !== 'basin' || (this.subject.bodies[0]?.faceCount ?? 0) > 0) && (m !== 'haptic' || !this.planar()));
    this.modes.replaceChildren(...there.map((m) => button(words[m], `${words[m]} (${there.indexOf(m) + 1})`, () => this.setMode(m), { id: `mode-${m}`, 'aria-pressed': String(m === this.mode) })));
  }

  private planar(): boolean {
    return this.subject?.bodies.some((b) => b?.planar) ?? false;
  }

  private async paintBasin(): Promise<void> {
    const s = this.subject;
    const f = this.frame;
    if (!s?.bodies[0] || !f) return;
    const kind = FEATURES[f.row[RESULT.a]!];
    const face = kind === 'face' ? f.row[RESULT.a + 1]! : 0;
    const point: [number, number, number] = [f.row[RESULT.b + 4]!, f.row[RESULT.b + 5]!, f.row[RESULT.b + 6]!];
    const options: TrackOptions = { law: this.basinLaw };
    if (['linearizing', 'switching', 'motion_aware'].includes(this.basinLaw)) options.gain = 300;
    this.basinText.textContent = 'computing…';
    const b = await this.live.basin({ face, point, pose: Array.from(f.poseA), options, cells: 40, steps: 160, dt: 1e-3 });
    if (this.mode !== 'basin') return;
    const colors = new Uint8Array(4 * b.cells * b.cells);
    b.kinds.forEach((k, i) => colors.set([...BASIN_COLORS[k]!, 255], 4 * i));
    this.stage.figures[0]!.paint(face, b.cells, colors, b.box);
    this.stage.touch();
    this.basinText.textContent = `${(100 * b.share).toFixed(1)} % of the starts on ${s.bodies[0].featureName('face', face)} come to the closest point, at ${digits(b.best, 6)}${s.unit ? ` ${s.unit}` : ''}.`;
  }

  // ---- what is shown

  open(report: Report): void {
    this.report = report;
    document.title = `${report.head.name} · Witness`;
    this.runs.replaceChildren();
    report.runs.forEach((r, i) => this.runs.append(el('option', { value: i }, r.head.name)));
    this.runs.hidden = report.runs.length < 2;
    this.runs.onchange = () => this.openRun(Number(this.runs.value));
    if (report.runs.length) this.openRun(0);
    else if (report.models.length) this.openModel(report.models[0]!, report.texts[0]!, report.head.name);
  }

  private openRun(i: number): void {
    const run = this.report!.runs[i]!;
    this.showRun(run, this.report!.texts, run.head.sides);
  }

  private showRun(run: Run, texts: string[], sides: [SideText, SideText]): void {
    const first = run.frame(0);
    this.setSubject({
      name: run.head.name, unit: run.head.unit, texts, sides, bodies: run.sides, names: [run.head.sides[0].name, run.head.sides[1].name],
      poses: [Array.from(first.poseA), Array.from(first.poseB)],
    });
    const one = this.runs.hidden || !this.report?.runs.includes(run);
    this.title.textContent = `${one ? `${run.head.name} · ` : ''}${run.head.law} · ${run.count} frames at ${digits(run.head.rate, 6).replace(/\.?0+$/, '')} Hz`;
    this.title.title = this.title.textContent;
    this.mode = 'replay';
    this.replay.set(run, this.fills());
    this.showParts();
    this.setTree();
  }

  private setSubject(s: Subject): void {
    this.live.leave();
    this.subject = s;
    this.alert.replaceChildren();
    this.frame = null;
    this.readout.clear();
    this.readout.unitName = s.unit;
    this.readout.bodies = s.bodies;
    this.readout.names = s.names;
    if (s.bodies[0]) this.live.load(this.wasm, s.texts, s.sides, s.bodies, s.poses);
  }

  /** A model: its first two bodies, or its only one and a point beside it. */
  private openModel(model: Model, text: string, name: string): void {
    const [a, b] = [model.bodies[0] ?? null, model.bodies[1] ?? null];
    if (!a) throw new Error('the model has no bodies');
    const pose = (i: number): number[] => Array.from(model.pose(i));
    const beside = [...a.box.hi.map((x, i) => (a.unbounded ? [0, 0, 5][i]! : i === 2 ? x + 0.25 * a.size : 0.5 * (x + a.box.lo[i]!))), 1, 0, 0, 0];
    this.replay.forget();
    this.setSubject({
      name: model.name || name, unit: model.unit === 'none' ? '' : model.unit, texts: [text],
      sides: [{ model: 0, body: 0 }, { model: b ? 0 : -1, body: 1 }], bodies: [a, b], names: [a.name || 'a', b ? b.name || 'b' : 'point'],
      poses: [pose(0), b ? pose(1) : beside],
    });
    const s = this.subject!;
    document.title = `${s.name} · Witness`;
    this.title.textContent = s.name + (model.bodies.length > 2 ? ` · the first two of ${model.bodies.length} bodies` : '');
    this.stage.setBodies(s.bodies, [[s.poses[0]], [s.poses[1]]]);
    this.stage.setTrails(new Float32Array(), new Float32Array());
    this.setTree();
    this.showQuery();
    this.setMode('live');
  }

  /** The certified answer where the bodies stand. */
  private showQuery(): void {
    const s = this.subject!;
    const query = this.library.query();
    const c = s.bodies[1] ? query.pair(s.bodies[0]!, s.poses[0], s.bodies[1], s.poses[1]) : query.point(s.bodies[0]!, s.poses[1].slice(0, 3), s.poses[0]);
    query.free();
    const row = new Float64Array(RESULT.size);
    row[RESULT.distance] = c.distance;
    row[RESULT.lowerBound] = c.lowerBound;
    row.set(c.normal, RESULT.normal);
    for (const [at, w] of [[RESULT.a, c.a], [RESULT.b, c.b]] as const) row.set([FEATURES.indexOf(w.feature), w.id, w.u, w.v, ...w.point], at);
    row[RESULT.flags] = c.certified ? 128 : 0;
    const f: Frame = { time: 0, row, poseA: Float64Array.from(s.poses[0]), poseB: Float64Array.from(s.poses[1]), force: null };
    this.stage.show(f);
    this.show(f);
  }

  // ---- files

  private takeDrops(): void {
    addEventListener('dragover', (e) => {
      e.preventDefault();
      this.root.classList.add('dropping');
    });
    addEventListener('dragleave', (e) => {
      if (!e.relatedTarget) this.root.classList.remove('dropping');
    });
    addEventListener('drop', (e) => {
      e.preventDefault();
      this.root.classList.remove('dropping');
      void this.take([...(e.dataTransfer?.files ?? [])]);
    });
  }

  private async take(files: File[]): Promise<void> {
    try {
      const { opened } = await openFiles(this.library, files, { wasm: this.wasm, progress: (text) => this.wait(text), cancel: (end) => (this.end = end) });
      if (opened) this.openDropped(opened);
    } catch (e) {
      if (e instanceof Cancelled) {
        this.alert.replaceChildren();
        return;
      }
      this.complain(e instanceof Error ? e.message : String(e));
    }
  }

  private openDropped(d: Dropped): void {
    this.runs.replaceChildren();
    this.runs.hidden = true;
    if (d.kind === 'report') this.open(d.report);
    else if (d.kind === 'model') {
      this.openModel(d.model, d.text, d.name);
      if (d.notes) this.tellConverted(d.name, d.model, d.text, d.notes);
    }
    else this.showRun(d.run, d.texts, this.sidesOf(d.run, d.texts));
  }

  /** Where the bodies of a run stand in the texts of their models. */
  private sidesOf(run: Run, texts: string[]): [SideText, SideText] {
    const one = texts.length === 1 ? 0 : 1;
    return [{ model: 0, body: 0 }, run.sides[1] ? { model: one, body: 0 } : { model: -1, body: -1 }];
  }

  /** Work that takes a while, and can be ended. */
  private wait(text: string): void {
    const words = this.alert.querySelector('#waiting span');
    if (words) words.textContent = text;
    else this.alert.replaceChildren(el('p', { class: 'message', id: 'waiting' }, el('span', {}, text), ' ', button('Cancel', 'Cancel', () => this.end(), { id: 'cancel' })));
  }

  /** What became of a CAD file: what was converted, what was lost, and the model to keep. */
  private tellConverted(name: string, model: Model, text: string, notes: Note[]): void {
    const lost = notes.filter((n) => n.lost).length;
    const save = el('a', { download: name.replace(/\.[^.]*$/, '') + '.json', href: URL.createObjectURL(new Blob([text], { type: 'application/json' })) }, 'save it as JSON');
    const list = notes.map((n) => el('li', {}, `${n.lost ? 'lost: ' : ''}${n.where}: ${n.text}`));
    this.alert.replaceChildren(el('div', { class: `message${lost ? ' bad' : ''}`, id: 'converted' },
      `${name}: ${model.bodies.length} ${model.bodies.length === 1 ? 'body' : 'bodies'}, ${lost ? `${lost} lost` : 'nothing lost'}; `, save, ' ',
      button('Close', 'Close', () => this.alert.replaceChildren()),
      list.length ? el('details', { open: lost > 0 }, el('summary', {}, `${list.length} ${list.length === 1 ? 'note' : 'notes'}`), el('ul', {}, ...list)) : null));
  }

  private complain(text: string): void {
    this.alert.replaceChildren(el('p', { class: 'message bad' }, text, ' ', button('Close', 'Close', () => this.alert.replaceChildren())));
  }

  /** A recorded motion: played back by the scene that is saved. */
  private recorded(times: Float64Array, poses: Float64Array, moving: 0 | 1): void {
    const s = this.subject;
    if (!s || times.length < 2) return;
    const names = s.sides.map((side) => (side.model < 0 ? null : `model-${side.model}.json`));
    const file = (i: 0 | 1): SideFile => {
      const body = s.bodies[i];
      // an only body needs no name, and one that a model implies from its surfaces has none
      const several = body !== null && ((body.owner as Partial<Model>).bodies?.length ?? 0) > 1;
      return { model: names[i]!, body: several ? body.name : '', name: s.names[i], pose: s.poses[i] };
    };
    const text = sceneText('recording', s.unit, 1000, [file(0), file(1)], moving, times, poses);
    s.texts.forEach((t, i) => this.library.addFile(`recorded/model-${i}.json`, t));
    try {
      const run = runScene(this.library, this.library.readScene(text, 'recorded'), text);
      this.showRun(run, s.texts, s.sides);
      this.offer(text, s.texts);
    } catch (e) {
      this.complain(e instanceof Error ? e.message : String(e));
    }
  }

  private offer(scene: string, models: string[]): void {
    const link = (name: string, text: string): HTMLAnchorElement => el('a', { download: name, href: URL.createObjectURL(new Blob([text], { type: 'application/json' })) }, name);
    this.alert.replaceChildren(el('p', { class: 'message', id: 'saved' }, 'Recorded. Save it as a scene: ', link('recording.json', scene), ...models.flatMap((m, i) => [' ', link(`model-${i}.json`, m)]),
      '; then: witness track recording.json'));
  }

  async openOwn(): Promise<void> {
    const report = await readReport(document, this.library);
    if (report) this.open(report);
    this.showParts();
  }

  /** Of the last seconds of a live run: for tests and for the curious. */
  residuals(): number[] {
    return this.live.strip.column('residual');
  }

  toolOnScreen(): { x: number; y: number } {
    return this.live.toolOnScreen();
  }

  // ---- keys

  private key(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (target.tagName === 'INPUT' && /^(Arrow|Page|Home|End| )/.test(e.key)) return;
    if (target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter')) return;
    if (this.live.nudge(e.key, e.shiftKey)) {
      e.preventDefault();
      return;
    }
    const on = this.keys()[e.key];
    if (!on) return;
    e.preventDefault();
    on();
  }

  private keys(): Record<string, () => void> {
    const mode = (i: number) => (): void => (this.modes.children[i] as HTMLButtonElement | undefined)?.click();
    return {
      ' ': () => this.replay.toggle(),
      ArrowLeft: () => this.replay.step(-1),
      ArrowRight: () => this.replay.step(1),
      PageUp: () => this.replay.step(-10),
      PageDown: () => this.replay.step(10),
      Home: () => this.replay.end(false),
      End: () => this.replay.end(true),
      f: () => this.stage.fit(),
      g: () => this.stage.zoomToGap(),
      o: () => this.setOrthographic(!this.stage.orthographic),
      t: () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark'),
      x: () => this.stage.along(0, 1), X: () => this.stage.along(0, -1),
      y: () => this.stage.along(1, 1), Y: () => this.stage.along(1, -1),
      z: () => this.stage.along(2, 1), Z: () => this.stage.along(2, -1),
      m: () => this.live.setGizmo('translate'),
      r: () => this.live.setGizmo('rotate'),
      1: mode(0), 2: mode(1), 3: mode(2), 4: mode(3),
      '?': () => showHelp(),
    };
  }
}
