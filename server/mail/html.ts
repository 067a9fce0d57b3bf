type Value = string | number | Html | Html[] | undefined

/** Text that is HTML already. Only the tag below makes it, so everything else is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** html`<b>${name}</b>`: whatever is put in is text, unless it was made by this tag itself. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(write)))
}

function write(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(write).join('')
  return String(value ?? '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
