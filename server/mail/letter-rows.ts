import { html, type Html } from './html.ts'
import type { Content, OrderContent } from './letter-content.ts'
import { look } from './letter-look.ts'

/** The parts of a letter, each a row of the slip. What people typed is in <bdi>: it keeps its direction to itself. */

export function openingRow({ title, lead, order }: Content): Html {
  const number =
    order &&
    html`<p class="soft" style="${look.label}">Order number</p>
      <div class="ink" style="${look.number}">${order.number}</div>`
  return row(
    html`<h1 class="ink" style="${look.title}">${title}</h1>
      <p class="ink" style="${look.text}margin:8px 0 20px;">${lead}</p>
      ${number}`,
    'padding-top:32px;padding-bottom:24px;',
  )
}

export function itemRow({ name, quantity, price, picture }: OrderContent['item']): Html {
  return row(
    table(
      html`<tr>
        ${picture ? html`<td width="80" valign="top">${thumb(picture, name)}</td>` : undefined}
        <td valign="middle">
          <div class="ink" style="${look.strong}"><bdi>${name}</bdi></div>
          <div class="soft" style="${look.soft}">Quantity ${quantity}</div>
        </td>
        <td class="ink" valign="middle" align="right" style="${look.text}${figure}">${price}</td>
      </tr>`,
    ),
  )
}

export function totalsRow(totals: OrderContent['totals']): Html {
  const lines = totals.map(({ label, value }, place) => {
    const isSum = place === totals.length - 1
    const style = isSum ? `${look.total}padding-top:10px;` : look.text
    return html`<tr>
      <td class="ink" style="${style}">${label}</td>
      <td class="ink" align="right" style="${style}${figure}">${value}</td>
    </tr>`
  })
  return row(table(html`${lines}`))
}

/** Side by side where there is room, below each other on a phone. */
export function sectionsRow(sections: Content['sections']): Html {
  const line = (text: string) =>
    html`<div class="ink" style="${look.text}"><bdi>${text}</bdi></div>`
  const blocks = sections.map(
    ({ title, lines }) =>
      html`<div style="${column}">
        <h2 class="soft" style="${look.label}">${title}</h2>
        ${lines.map(line)}
      </div>`,
  )
  return row(html`${blocks}`, 'padding-bottom:4px;')
}

export function stepsRow(steps: string[]): Html {
  const item = (step: string) =>
    html`<li class="ink" style="${look.text}padding-bottom:6px;">${step}</li>`
  return row(
    html`<h2 class="soft" style="${look.label}">What’s next</h2>
      <ul style="margin:6px 0 0;padding:0 0 0 20px;">
        ${steps.map(item)}
      </ul>`,
    'padding-top:0;padding-bottom:14px;',
  )
}

export function buttonRow({ label, url }: Content['button']): Html {
  return row(
    html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
      <tr>
        <td class="button" align="center" style="${look.button}">
          <a class="on-accent" href="${url}" style="${look.buttonText}">${label}</a>
        </td>
      </tr>
    </table>`,
    'padding-top:6px;padding-bottom:30px;',
  )
}

/** The line along which a receipt is torn. */
export const perforation = html`<tr>
  <td style="padding:0 28px;"><div class="line" style="${look.perforation}">&nbsp;</div></td>
</tr>`

/** For layout only, as wide as it can be: the one thing that every mail program lays out alike. */
export function table(rows: Html, colour = '', style = ''): Html {
  const start = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"`
  return html`${start} border="0" class="${colour}" style="${style}">${rows}</table>`
}

const figure = 'padding-left:12px;white-space:nowrap;font-variant-numeric:tabular-nums;'
const column =
  'display:inline-block;vertical-align:top;width:100%;max-width:240px;padding-bottom:20px;'

function row(inside: Html, padding = ''): Html {
  return html`<tr>
    <td style="${look.row}${padding}">${inside}</td>
  </tr>`
}

function thumb(url: string, name: string): Html {
  const style = `${look.soft}display:block;width:64px;height:64px;object-fit:cover;border-radius:8px;`
  return html`<img
    class="soft"
    src="${url}"
    alt="${name}"
    width="64"
    height="64"
    style="${style}"
  />`
}
