import { html, type Html } from './html.ts'
import type { Content } from './letter-content.ts'
import { darkStyle, look } from './letter-look.ts'
import {
  buttonRow,
  itemRow,
  openingRow,
  perforation,
  sectionsRow,
  stepsRow,
  table,
  totalsRow,
} from './letter-rows.ts'

/**
 * The letter as a receipt that leaves its slot. Tables and inline styles, because that is what mail
 * programs keep; nothing from elsewhere but the shop's own pictures, nothing that tells who has read it.
 */
export function writeHtml(content: Content): string {
  const { paper } = look
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no" />
        <title>${content.shopName}: ${content.title}</title>
        <style>
          ${darkStyle}
        </style>
      </head>
      <body class="paper" style="${paper}margin:0;padding:0;-webkit-text-size-adjust:100%;">
        <div style="display:none;max-height:0;overflow:hidden;">${content.preview}</div>
        ${table(page(content), 'paper', paper)}
      </body>
    </html> `.text
}

/** Outlook for Windows knows no max-width: it gets a table of that width around it. */
function page(content: Content): Html {
  const receipt = html`<tr>
      <td align="center" style="padding-bottom:22px;">${nameplate(content)}</td>
    </tr>
    <tr>
      <td class="slot" style="${look.slot}">&nbsp;</td>
    </tr>
    <tr>
      <td style="padding:0 12px;">
        ${table(slip(content), 'card', look.card)}
        <div class="torn" style="${look.torn}">&nbsp;</div>
      </td>
    </tr>
    <tr>
      <td align="center" class="soft" style="${look.soft}padding:22px 28px 0;">
        ${content.closing && closing(content.closing)}
      </td>
    </tr>`
  return html`<tr>
    <td align="center" style="padding:32px 12px 40px;">
      <!--[if mso]><table role="presentation" width="560"><tr><td><![endif]-->
      ${table(receipt, '', 'max-width:560px;')}
      <!--[if mso]></td></tr></table><![endif]-->
    </td>
  </tr>`
}

function slip(content: Content): Html {
  const { order, sections, steps } = content
  return html`${openingRow(content)}
  ${order && html`${perforation} ${itemRow(order.item)} ${perforation} ${totalsRow(order.totals)} ${perforation}`}
  ${sections.length > 0 ? sectionsRow(sections) : undefined}
  ${steps.length > 0 ? stepsRow(steps) : undefined} ${buttonRow(content.button)}`
}

function closing({ text, email }: NonNullable<Content['closing']>): Html {
  if (!email) return html`${text}.`
  return html`${text} <a class="accent" href="mailto:${email}" style="${look.link}">${email}</a>.`
}

/** Many programs show pictures only when asked to: then the logo is the shop's name. */
function nameplate({ logo, shopName }: Content): Html {
  if (!logo) return html`<span class="ink" style="${look.shopName}">${shopName}</span>`
  const style = `${look.shopName}${look.logo}`
  return html`<img class="plate" src="${logo}" alt="${shopName}" height="44" style="${style}" />`
}
