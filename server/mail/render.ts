import { fillText, type Language } from '#contract/languages.ts'
import { mailTextsOf } from '#contract/texts/all.ts'
import type { MailTexts } from '#contract/texts/mails/en.ts'

/*
 * Renders a mail's content as HTML and as plain text. The HTML looks like a receipt that leaves a printer: tables and
 * inline styles, because that is what mail programs keep; no external resource but the shop's own pictures, and nothing
 * that tracks whether it was read.
 */

/** What a mail says. HTML and plain text are both rendered from it. */
export type MailContent = {
  language: Language
  shopName: string
  logo: string | undefined
  /** Shown by mail programs beside the subject. */
  preview: string
  /** Above everything else. */
  notices?: string[]
  title: string
  /** The owner's first words. */
  opening?: string | undefined
  lead: string
  order: OrderContent | undefined
  sections: { title: string; lines: string[] }[]
  steps: string[]
  button: { label: string; url: string } | undefined
  /** Below the button, for what is second. */
  link?: { label: string; url: string }
  /** A last sentence without its full stop, which may end in an e-mail address. */
  closing: { text: string; email?: string } | undefined
}

type OrderContent = {
  number: string
  /** For people, such as #1042. */
  shortNumber: string | undefined
  item: { name: string; quantity: number; price: string; picture: string | undefined }
  totals: { label: string; value: string }[]
}

const textWidth = 60

export function renderText({ order, ...content }: MailContent): string {
  const { sections, steps, button, link, closing } = content
  const { labels, next } = mailTextsOf[content.language]
  const blocks: (string | undefined)[] = [
    content.shopName,
    content.notices?.join('\n'),
    [content.title, content.opening, content.lead].filter(Boolean).join('\n'),
    order && [labels.orderNumber, order.number, order.shortNumber].filter(Boolean).join('\n'),
    order &&
      [
        alignRight(`${order.item.quantity} × ${order.item.name}`, order.item.price),
        '-'.repeat(textWidth),
        ...order.totals.map(({ label, value }) => alignRight(label, value)),
      ].join('\n'),
    ...sections.map(({ title, lines }) => [title, ...lines].join('\n')),
    steps.length > 0 ? [next, ...steps.map((step) => `- ${step}`)].join('\n') : undefined,
    ...[button, link].map((one) => one && `${one.label}:\n${one.url}`),
    closing && `${[closing.text, closing.email].filter(Boolean).join(' ')}.`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function alignRight(label: string, value: string): string {
  return `${label.padEnd(textWidth - value.length - 1)} ${value}`
}

export function renderHtml(content: MailContent): string {
  return html`<!doctype html>
    <html lang="${content.language}">
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
      <body class="paper" style="${styles.paper}margin:0;padding:0;-webkit-text-size-adjust:100%;">
        <div style="display:none;max-height:0;overflow:hidden;">${content.preview}</div>
        ${table(renderPage(content), 'paper', styles.paper)}
      </body>
    </html> `.text
}

/** The mail as a program with this look shows it, whatever the browser prefers that it is shown in. */
export function fixLook(mail: string, look: 'light' | 'dark'): string {
  return mail.replace(darkQuery, look === 'dark' ? '@media all' : '@media not all')
}

/** Outlook for Windows ignores max-width: it gets a table of that width around the receipt. */
function renderPage(content: MailContent): Html {
  const page = html`<tr>
      <td align="center" style="padding-bottom:22px;">${renderLogo(content)}</td>
    </tr>
    <tr>
      <td class="slot" style="${styles.slot}">&nbsp;</td>
    </tr>
    <tr>
      <td style="padding:0 12px;">
        ${table(renderReceipt(content), 'card', styles.card)}
        <div class="torn" style="${styles.torn}">&nbsp;</div>
      </td>
    </tr>
    <tr>
      <td align="center" class="muted" style="${styles.muted}padding:22px 28px 0;">
        ${content.closing && renderClosing(content.closing)}
      </td>
    </tr>`
  return html`<tr>
    <td align="center" style="padding:32px 12px 40px;">
      <!--[if mso]><table role="presentation" width="560"><tr><td><![endif]-->
      ${table(page, '', 'max-width:560px;')}
      <!--[if mso]></td></tr></table><![endif]-->
    </td>
  </tr>`
}

function renderReceipt(content: MailContent): Html {
  const { order, sections, steps } = content
  const texts = mailTextsOf[content.language]
  return html`${renderOpening(content)}
  ${order && html`${perforation} ${renderItem(order.item, texts.labels)} ${perforation} ${renderTotals(order.totals)} ${perforation}`}
  ${sections.length > 0 ? renderSections(sections) : undefined}
  ${steps.length > 0 ? renderSteps(steps, texts.next) : undefined}
  ${content.button && renderButton(content.button, content.link)}`
}

/** Many programs show pictures only when asked to: then the logo is the shop's name. */
function renderLogo({ logo, shopName }: MailContent): Html {
  if (!logo) return html`<span class="text" style="${styles.shopName}">${shopName}</span>`
  const style = `${styles.shopName}${styles.logo}`
  return html`<img class="logo" src="${logo}" alt="${shopName}" height="44" style="${style}" />`
}

function renderClosing({ text, email }: NonNullable<MailContent['closing']>): Html {
  if (!email) return html`${text}.`
  return html`${text} <a class="accent" href="mailto:${email}" style="${styles.link}">${email}</a>.`
}

function renderOpening(content: MailContent): Html {
  const { notices = [], title, opening, lead, order } = content
  const number =
    order &&
    html`<p class="muted" style="${styles.label}">
        ${mailTextsOf[content.language].labels.orderNumber}
      </p>
      <div class="text" style="${styles.number}">${order.number}</div>
      ${order.shortNumber && html`<div class="text" style="${styles.number}">${order.shortNumber}</div>`}`
  return row(
    html`${notices.map((notice) => html`<p class="text line" style="${styles.notice}"><bdi>${notice}</bdi></p>`)}
      <h1 class="text" style="${styles.title}">${title}</h1>
      ${opening && html`<p class="text" style="${styles.text}margin:8px 0 0;"><bdi>${opening}</bdi></p>`}
      <p class="text" style="${styles.text}margin:8px 0 20px;">${lead}</p>
      ${number}`,
    `padding-top:32px;padding-bottom:${order ? 24 : 0}px;`,
  )
}

// User input is in <bdi>, so that right-to-left text does not reorder what is around it.

function renderItem(item: OrderContent['item'], labels: MailTexts['labels']): Html {
  const { name, quantity, price, picture } = item
  const count = fillText(labels.quantity, { count: String(quantity) })
  const image =
    picture &&
    html`<td width="80" valign="top">
      <img
        class="muted"
        src="${picture}"
        alt="${name}"
        width="64"
        height="64"
        style="${styles.picture}"
      />
    </td>`
  const cells = html`<tr>
    ${image}
    <td valign="middle">
      <div class="text" style="${styles.strong}"><bdi>${name}</bdi></div>
      <div class="muted" style="${styles.muted}">${count}</div>
    </td>
    <td class="text" valign="middle" align="right" style="${styles.text}${styles.figure}">
      ${price}
    </td>
  </tr>`
  return row(table(cells))
}

function renderTotals(totals: OrderContent['totals']): Html {
  const lines = totals.map(({ label, value }, index) => {
    const isSum = index === totals.length - 1
    const style = isSum ? `${styles.total}padding-top:10px;` : styles.text
    return html`<tr>
      <td class="text" style="${style}">${label}</td>
      <td class="text" align="right" style="${style}${styles.figure}">${value}</td>
    </tr>`
  })
  return row(table(html`${lines}`))
}

/** Side by side where there is room, below each other on a phone. */
function renderSections(sections: MailContent['sections']): Html {
  const blocks = sections.map(
    ({ title, lines }) =>
      html`<div style="${styles.column}">
        <h2 class="muted" style="${styles.label}">${title}</h2>
        ${lines.map((line) => html`<div class="text" style="${styles.text}"><bdi>${line}</bdi></div>`)}
      </div>`,
  )
  return row(html`${blocks}`, 'padding-bottom:4px;')
}

function renderSteps(steps: string[], title: string): Html {
  const items = steps.map(
    (step) => html`<li class="text" style="${styles.text}padding-bottom:6px;">${step}</li>`,
  )
  return row(
    html`<h2 class="muted" style="${styles.label}">${title}</h2>
      <ul style="margin:6px 0 0;padding:0 0 0 20px;">
        ${items}
      </ul>`,
    'padding-top:0;padding-bottom:14px;',
  )
}

function renderButton(
  { label, url }: NonNullable<MailContent['button']>,
  link: MailContent['link'],
): Html {
  const second =
    link &&
    html`<p style="${styles.text}margin:18px 0 0;">
      <a class="accent" href="${link.url}" style="${styles.link}">${link.label}</a>
    </p>`
  return row(
    html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
        <tr>
          <td class="button" align="center" style="${styles.button}">
            <a class="on-accent" href="${url}" style="${styles.buttonText}">${label}</a>
          </td>
        </tr>
      </table>
      ${second}`,
    'padding-top:6px;padding-bottom:30px;',
  )
}

function row(inside: Html, padding = ''): Html {
  return html`<tr>
    <td style="${styles.row}${padding}">${inside}</td>
  </tr>`
}

/** For layout, at full width: the one thing that every mail program lays out alike. */
function table(rows: Html, className = '', style = ''): Html {
  const start = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0"`
  return html`${start} border="0" class="${className}" style="${style}">${rows}</table>`
}

/** HTML that needs no escaping. Only the tag below creates it. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = string | number | Html | Html[] | undefined

/** html`<b>${name}</b>` escapes every value that was not created by this tag. */
function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(escapeHtml)))
}

function escapeHtml(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(escapeHtml).join('')
  return String(value ?? '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/*
 * The colours of web/ui/theme.css. Mail programs know no CSS variables and often no style tag, so the light colours are
 * inline, and the dark ones override them where a style tag is understood.
 */
type Colours = Record<
  'paper' | 'card' | 'slot' | 'text' | 'muted' | 'line' | 'accent' | 'onAccent',
  string
>

const light: Colours = {
  paper: '#f3eee4',
  card: '#fffdf9',
  slot: '#211d17',
  text: '#211d17',
  muted: '#575044',
  line: '#c9bfae',
  accent: '#0d5c5f',
  onAccent: '#fffdf9',
}
const dark: Colours = {
  paper: '#161411',
  card: '#221f1a',
  slot: '#574e41',
  text: '#f4eee3',
  muted: '#c6bcac',
  line: '#574e41',
  accent: '#79c8c1',
  onAccent: '#0a2423',
}

const sans = `-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif`
const mono = `ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace`

const styles = {
  paper: `background-color:${light.paper};`,
  card: `background-color:${light.card};`,
  slot: `background-color:${light.slot};height:10px;border-radius:5px;font-size:0;line-height:10px;`,
  torn: `background:${tornEdge(light)};height:6px;font-size:0;line-height:6px;`,
  row: 'padding:20px 28px;word-break:break-word;',
  /** In dark mode a logo keeps a light background: most are drawn for one. */
  logo: 'height:44px;width:auto;max-width:240px;object-fit:contain;padding:8px 12px;border-radius:8px;',
  shopName: `font:600 20px/1.3 ${sans};color:${light.text};`,
  title: `margin:0;font:600 28px/1.2 ${sans};letter-spacing:-0.02em;color:${light.text};`,
  text: `font:400 16px/1.5 ${sans};color:${light.text};`,
  strong: `font:600 16px/1.5 ${sans};color:${light.text};`,
  total: `font:600 20px/1.4 ${sans};color:${light.text};`,
  muted: `font:400 14px/1.5 ${sans};color:${light.muted};`,
  label: `margin:0 0 2px;font:600 13px/1.5 ${sans};color:${light.muted};`,
  number: `font:400 14px/1.5 ${mono};color:${light.text};`,
  figure: 'padding-left:12px;white-space:nowrap;font-variant-numeric:tabular-nums;',
  column: 'display:inline-block;vertical-align:top;width:100%;max-width:240px;padding-bottom:20px;',
  picture: `font:400 14px/1.5 ${sans};color:${light.muted};display:block;width:64px;height:64px;object-fit:cover;border-radius:8px;`,
  perforation: `border-top:1px dashed ${light.line};font-size:0;line-height:0;`,
  notice: `margin:0 0 12px;padding:10px 12px;border:2px solid ${light.line};border-radius:8px;font:600 14px/1.5 ${sans};color:${light.text};`,
  link: `color:${light.accent};`,
  button: `background-color:${light.accent};border-radius:8px;`,
  buttonText: `display:block;padding:14px 28px;font:600 16px/1.4 ${sans};color:${light.onAccent};text-decoration:none;`,
}

const darkRules = {
  paper: `background-color:${dark.paper}`,
  card: `background-color:${dark.card}`,
  slot: `background-color:${dark.slot}`,
  torn: `background:${tornEdge(dark)}`,
  logo: `background-color:${light.card}`,
  text: `color:${dark.text}`,
  muted: `color:${dark.muted}`,
  line: `border-color:${dark.line}`,
  accent: `color:${dark.accent}`,
  button: `background-color:${dark.accent}`,
  'on-accent': `color:${dark.onAccent}`,
}

const darkQuery = '@media (prefers-color-scheme:dark)'

/** `!important` because inline styles would win. */
const darkStyle = `${darkQuery}{${Object.entries(darkRules)
  .map(([name, rule]) => `.${name}{${rule} !important}`)
  .join('')}}`

const perforation = html`<tr>
  <td style="padding:0 28px;"><div class="line" style="${styles.perforation}">&nbsp;</div></td>
</tr>`

/** Teeth below the receipt, 6 px high. Programs that cannot draw them show a straight edge. */
function tornEdge({ card }: Colours): string {
  const half = (angle: number) => `linear-gradient(${angle}deg,${card} 4.24px,transparent 4.5px)`
  return `${half(135)} 0 0/12px 6px repeat-x,${half(225)} 0 0/12px 6px repeat-x`
}
