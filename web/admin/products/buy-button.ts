/** The button as it stands in someone else's page: nothing of ours but these lines, so no script and no stylesheet. */
export const buttonStyle = {
  display: 'inline-block',
  padding: '16px 48px',
  background: '#000',
  color: '#fff',
  fontFamily: 'inherit',
  fontSize: '16px',
  fontWeight: '700',
  lineHeight: '1.25',
  letterSpacing: '1px',
  textDecoration: 'none',
  borderRadius: '6px',
}

export const frameStyle = { margin: '24px 0', textAlign: 'center' } as const

export const buttonLabel = 'BUY NOW'

/**
 * A link that looks like a button works wherever HTML is allowed. `_top` leads out of the frames
 * in which some site builders put pasted code, because a checkout refuses to be framed.
 */
export function writeBuyButton(link: string): string {
  return [
    `<div style="${writeStyle(frameStyle)}">`,
    `  <a href="${escapeHtml(link)}" target="_top" style="${writeStyle(buttonStyle)}">${buttonLabel}</a>`,
    '</div>',
  ].join('\n')
}

function writeStyle(style: Record<string, string>): string {
  return Object.entries(style)
    .map(
      ([name, value]) =>
        `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`,
    )
    .join(';')
}

/** Braces too: to a store platform's Liquid, two of them are code. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`)
}
