// SPDX-License-Identifier: MIT
/*
 * Emscripten's bindings make their functions from text, which the page's content security policy forbids. The text has two forms, of
 * statements "var x = f(a, b);", "f(a);" and "return x;", and of one call of a value: they are carried out here, without eval.
 * build.mjs puts this in place of `new Function`.
 */
type Value = unknown;
type Call = (...args: Value[]) => Value;

interface Statement {
  to: string;
  call: string;
  args: string[];
}

function statement(line: string): Statement {
  const m = /^(?:var (\w+) = )?(\w+)\(([^()]*)\);$/.exec(line);
  if (m) return { to: m[1] ?? '', call: m[2]!, args: m[3] ? m[3].split(',').map((a) => a.trim()) : [] };
  if (line === 'var destructors = [];') return { to: 'destructors', call: '', args: [] };
  throw new Error(`a binding of Open CASCADE has a statement of an unknown form: ${line}`);
}

function invoker(known: Map<string, Value>, parameters: string[], lines: string[]): Function {
  const returns = lines[lines.length - 1] === 'return ret;';
  const list = (returns ? lines.slice(0, -1) : lines).map(statement);
  return function (this: Value, ...args: Value[]): Value {
    const local = new Map<string, Value>(parameters.map((p, i) => [p, args[i]]));
    local.set('this', this);
    local.set('null', null);
    const value = (name: string): Value => (local.has(name) ? local.get(name) : known.get(name));
    for (const s of list) {
      const result = s.call ? (value(s.call) as Call)(...s.args.map(value)) : [];
      if (s.to) local.set(s.to, result);
    }
    return returns ? local.get('ret') : undefined;
  };
}

/** A call of a JavaScript value by C++: a function, a method, or a constructor. */
function caller(known: Map<string, Value>, body: string): Function {
  const readers = [...body.matchAll(/(argFromPtr\d+)\(args(?:\+(\d+))?\)/g)].map((m) => ({ read: known.get(m[1]!) as (at: number) => Value, at: Number(m[2] ?? 0) }));
  const toValue = known.get('toValue') as (handle: number) => Value;
  const name = known.get('getStringOrSymbol') as ((at: number) => string) | undefined;
  const back = known.get('emval_returnValue') as ((wire: Value, destructors: Value, value: Value) => Value) | undefined;
  return (handle: number, method: number, destructors: Value, args: number): Value => {
    const list = readers.map((r) => r.read(args + r.at));
    let value: Value;
    if (body.includes('[getStringOrSymbol(methodName)]')) {
      const object = toValue(handle) as Record<string, Call>;
      value = object[name!(method)]!(...list);
    } else if (body.includes('new (toValue(handle))')) value = Reflect.construct(toValue(handle) as Function, list);
    else if (body.includes('toValue(handle)')) value = (toValue(handle) as Call)(...list);
    else value = list[list.length - 1];
    return back ? back(known.get('toReturnWire'), destructors, value) : undefined;
  };
}

/** In place of (new Function(names, body))(...values). */
export function noEval(names: string[], body: string): (...values: Value[]) => Function {
  return (...values) => {
    const known = new Map<string, Value>(names.map((n, i) => [n, values[i]]));
    const lines = body.trim().split('\n');
    const head = /^return function \(([^)]*)\) \{$/.exec(lines[0]!);
    if (!head) throw new Error('a binding of Open CASCADE has an unknown form');
    const parameters = head[1] ? head[1].split(',').map((p) => p.trim()) : [];
    if (parameters[0] === 'handle') return caller(known, lines.slice(1, -1).join('\n'));
    return invoker(known, parameters, lines.slice(1, -1));
  };
}
