/** Inline, because the snippet is pasted into other sites and brings no script or stylesheet. */
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
 * A link styled as a button works wherever HTML is allowed. `_top` leaves the frames in which some
 * site builders put pasted code, because the checkout refuses to be framed.
 */
export function renderBuyButton(link: string): string {
  return [
    `<div style="${renderStyle(frameStyle)}">`,
    `  <a href="${escapeHtml(link)}" target="_top" style="${renderStyle(buttonStyle)}">${buttonLabel}</a>`,
    '</div>',
  ].join('\n')
}

function renderStyle(style: Record<string, string>): string {
  return Object.entries(style)
    .map(
      ([name, value]) =>
        `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`,
    )
    .join(';')
}

/** Braces too: double braces are code in a store platform's Liquid templates. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`)
}
