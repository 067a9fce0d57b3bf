/** What Excel needs to read the file as UTF-8. */
export const csvBeginning = '\uFEFF'

/** What spreadsheets run as a formula, whoever typed it. Signs of East Asian width count too. */
const formula = String.raw`^[\t\r\n]|^\s*[=+@＝＋－＠-]`
const needsQuotes = String.raw`[",;\r\n]|^\s|\s$`

/** SQL for one line of a CSV file as RFC 4180 says. An apostrophe makes a formula text. */
export function csvLine(cells: string[]): string {
  const safe = `case when cell ~ '${formula}' then '''' || cell else cell end`
  const written = `case when cell ~ '${needsQuotes}' then '"' || replace(${safe}, '"', '""') || '"' else ${safe} end`
  // Most cells need none of it, which one look tells.
  return `array_to_string(array(
    select case when cell ~ '${formula}|${needsQuotes}' then ${written} else coalesce(cell, '') end
    from unnest(array[${cells.join(', ')}]) as typed(cell)), ',') || E'\\r\\n'`
}
