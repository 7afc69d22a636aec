// SPDX-License-Identifier: MIT
#include "step_syntax.h"

#include <cctype>

namespace cad
{
namespace
{

// Walks over a STEP file: strings and comments are stepped over, lines are counted.
class Scanner
{
  public:
    explicit Scanner(const std::string& data) : data_(data)
    {
    }

    std::string run();

  private:
    bool ends(const char* word, size_t from, size_t until) const
    {
        while (from < until && std::isspace(static_cast<unsigned char>(data_[from]))) from++;
        return data_.compare(from, std::char_traits<char>::length(word), word) == 0;
    }

    // Behind a string or a comment that starts at `at`; npos: it does not end.
    size_t past(char quote)
    {
        size_t end = quote == '*' ? data_.find("*/", at + 2) : data_.find(quote, at + 1);
        if (end == std::string::npos) return end;
        for (size_t k = at; k < end; ++k) line += data_[k] == '\n';
        return end + (quote == '*' ? 2 : 1);
    }

    std::string wrong(int where, const std::string& text) const
    {
        std::string name = label.empty() ? "" : label + " ";
        return "line " + std::to_string(where) + ": the statement " + name + text;
    }

    std::string statement_ends();
    std::string equals();

    const std::string& data_;
    size_t at = 0, start = 0; // of the statement
    int line = 1, first_line = 1, depth = 0;
    bool in_data = false, begun = false;
    std::string label; // "#12", once its = has been seen
};

// At an = outside parentheses: the label stands before it.
std::string Scanner::equals()
{
    size_t end = at;
    while (end > start && std::isspace(static_cast<unsigned char>(data_[end - 1]))) end--;
    size_t from = end;
    while (from > start && std::isdigit(static_cast<unsigned char>(data_[from - 1]))) from--;
    if (from == end || from == start || data_[from - 1] != '#')
        return wrong(line, "has an = without a number before it");
    if (!label.empty()) return wrong(first_line, "has no semicolon at its end");
    label = data_.substr(from - 1, end - from + 1);
    return "";
}

std::string Scanner::statement_ends()
{
    if (depth > 0) return wrong(first_line, "has a parenthesis that is not closed");
    if (in_data && label.empty() && begun && !ends("ENDSEC", start, at)) return wrong(first_line, "has no number");
    if (ends("DATA", start, at)) in_data = true;
    if (ends("ENDSEC", start, at)) in_data = false;
    label.clear();
    begun = false;
    return "";
}

std::string Scanner::run()
{
    while (at < data_.size()) {
        char c = data_[at];
        if (!begun && !std::isspace(static_cast<unsigned char>(c)) && c != '/') {
            begun = true;
            start = at;
            first_line = line;
        }
        if (c == '\'' || c == '"' || (c == '/' && at + 1 < data_.size() && data_[at + 1] == '*')) {
            int from = line;
            size_t next = past(c == '/' ? '*' : c);
            if (next == std::string::npos)
                return "line " + std::to_string(from) + (c == '/' ? ": a comment" : ": a text in quotes") +
                       " has no end";
            at = next;
            continue;
        }
        std::string bad;
        if (c == '\n') line++;
        if (c == '(') depth++;
        if (c == ')' && --depth < 0) return wrong(line, "closes a parenthesis that is not open");
        // Depth is that of one statement: a missing parenthesis must not hide what follows.
        if (c == '=' && in_data) bad = depth > 0 ? wrong(first_line, "has a parenthesis that is not closed") : equals();
        if (c == ';') bad = statement_ends();
        if (!bad.empty()) return bad;
        at++;
    }
    return begun ? wrong(first_line, "at the end has no semicolon") : "";
}

} // namespace

std::string step_syntax(const std::string& data)
{
    return Scanner(data).run();
}

} // namespace cad
