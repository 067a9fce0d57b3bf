/** What Excel needs to read the file as UTF-8. */
export const csvBeginning = '\uFEFF'

/** What begins a formula in a spreadsheet, whoever typed it. Signs of East Asian width count too. */
const starter = '[=+@＝＋－＠-]'
const formula = String.raw`^[\t\r\n]|^\s*${starter}`
/**
 * An Excel that separates by semicolons (a German one, say) knows nothing of quotes in the middle of a line: it begins a
 * new cell at each semicolon and each new line that somebody typed. Quotes that follow are not shown there.
 */
const formulaWithin = String.raw`([;\t\r\n][\s"]*)(${starter})`
const needsQuotes = String.raw`[",;\t\r\n]|^\s|\s$`

/** SQL for one line of a CSV file as RFC 4180 says. An apostrophe makes a formula text. */
export function csvLine(cells: string[]): string {
  const apostrophe = `case when cell ~ '${formula}' then '''' else '' end`
  const within = String.raw`regexp_replace(cell, '${formulaWithin}', '\1''\2', 'g')`
  const quoted = `'"' || ${apostrophe} || replace(${within}, '"', '""') || '"'`
  const written = `case when cell ~ '${needsQuotes}' then ${quoted} else ${apostrophe} || cell end`
  // Most cells need none of it, which one look tells.
  return `array_to_string(array(
    select case when cell ~ '${formula}|${needsQuotes}' then ${written} else coalesce(cell, '') end
    from unnest(array[${cells.join(', ')}]) as typed(cell)), ',') || E'\\r\\n'`
}
