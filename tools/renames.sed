# SPDX-License-Identifier: MIT
# Public names of version 0.1 to those of today: sed -i -f tools/renames.sed YOUR.c
s/\bwit_ended_name\b/wit_outcome_name/g
s/\bwit_ended\b/wit_outcome/g
s/\bWIT_ENDED_\(CONVERGED\|OPEN\|BUDGET\|COUNT\)\b/WIT_OUTCOME_\1/g
s/\(\.\|->\)ended\b/\1outcome/g
s/\bwit_track_work\b/wit_work/g
s/\bwit_place\b/wit_eval_flag/g
s/\bWIT_PLACE_\(REGULAR\|DEGENERATE\|CLAMPED\|INVALID\)\b/WIT_EVAL_\1/g
s/\bwit_side\b/wit_knot_side/g
s/\bWIT_SIDE_\(DEFAULT\|T_BELOW\|U_BELOW\|V_BELOW\)\b/WIT_KNOT_\1/g
# laws, integrators and gains: witness/laws.h. A world has its law beside its tracker; simple uses in a tracker's def become
# presets, and what else a law is set to (integrator, gain, ...) belongs into a wit_law_def of its own
s|^\(#include [<"].*witness/\)track\.h\([>"]\)|&\n\1laws.h\2|
s/\bwit_law\b/wit_law_kind/g
s/\(\.\|->\)track\.law\b/\1law.kind/g
s/\(\.\|->\)track\.\(gain\|integrator\|feedback\|ball\|cap\|findmin\)\b/\1law.\2/g
s/\(\.\|->\)law = \(WIT_LAW_[A-Z_]*\)\b/\1law = wit_law_preset(\2)/g
s/\(\.\|->\)switching = WIT_SWITCHING_NONE\b/\1keep_features = true/g
s/\(\.\|->\)candidates\b/\1front/g
