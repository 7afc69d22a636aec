// SPDX-License-Identifier: MIT
// Open CASCADE's parser steps over broken statements without a word. What is broken is said here, with its line.
#ifndef CAD_STEP_SYNTAX_H
#define CAD_STEP_SYNTAX_H

#include <string>

namespace cad
{
// "" for a text whose statements all end, and whose parentheses, strings and comments close.
std::string step_syntax(const std::string& data);
} // namespace cad

#endif
