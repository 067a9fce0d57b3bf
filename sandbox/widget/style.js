const css = `
[data-sumup-id='widget__container'] {
  box-sizing: border-box;
  padding: 20px;
  border-radius: 16px;
  background: #fff;
  color: #1a1a1a;
  font: 16px/1.4 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  text-align: start;
}
[data-sumup-id='widget__container'] * { box-sizing: border-box; }
[data-sumup-id='widget__container'] [hidden] { display: none; }
[data-sumup-id='widget__container'] p { margin: 0; }
[data-sumup-id='widget__container'] [data-sumup-id='widget_header__title'] {
  margin: 0 0 16px;
  font-weight: 600;
}
[data-sumup-id='widget__container'] .sumup-fields {
  display: grid;
  /* Two columns, or one where two would be too narrow. */
  grid-template-columns: repeat(auto-fit, minmax(max(118px, calc(50% - 6px)), 1fr));
  gap: 14px 12px;
}
[data-sumup-id='widget__container'] .sumup-field { min-width: 0; }
[data-sumup-id='widget__container'] .sumup-field--wide { grid-column: 1 / -1; }
[data-sumup-id='widget__container'] label {
  display: block;
  margin: 0 0 4px;
  font-size: 14px;
  color: #444;
}
[data-sumup-id='widget__container'] input,
[data-sumup-id='widget__container'] select {
  display: block;
  width: 100%;
  min-height: 48px;
  margin: 0;
  padding: 10px 14px;
  border: 1px solid #8a8f98;
  border-radius: 10px;
  background: #fff;
  color: inherit;
  font: inherit;
  font-variant-numeric: tabular-nums;
}
[data-sumup-id='widget__container'] input:focus-visible,
[data-sumup-id='widget__container'] select:focus-visible,
[data-sumup-id='widget__container'] button:focus-visible {
  outline: 3px solid #3063e9;
  outline-offset: 1px;
}
[data-sumup-id='widget__container'] input[aria-invalid='true'] { border-color: #c8242b; }
[data-sumup-id='widget__container'] input:read-only { background: #f5f6f7; color: #666; }
[data-sumup-id='widget__container'] .sumup-error { margin-top: 4px; font-size: 14px; color: #b3161d; }
[data-sumup-id='widget__container'] .sumup-message { margin-top: 14px; }
[data-sumup-id='widget__container'] .sumup-message--bad { color: #b3161d; }
[data-sumup-id='widget__container'] [data-sumup-id='submit_button'] {
  display: block;
  width: 100%;
  min-height: 48px;
  margin: 18px 0 0;
  padding: 10px 20px;
  border: 0;
  border-radius: 999px;
  background: #1a1a1a;
  color: #fff;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
[data-sumup-id='widget__container'] [data-sumup-id='submit_button'][aria-disabled='true'] {
  background: #6a6f78;
  cursor: progress;
}
[data-sumup-id='widget__container'] .sumup-methods {
  display: grid;
  gap: 10px;
}
[data-sumup-id='widget__container'] form:not([hidden]) + .sumup-methods { margin-top: 18px; }
[data-sumup-id='widget__container'] .sumup-methods button {
  min-height: 48px;
  padding: 10px 20px;
  border: 1px solid #8a8f98;
  border-radius: 10px;
  background: #fff;
  color: inherit;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
[data-sumup-id='widget__container'] iframe {
  display: block;
  width: 100%;
  height: 430px;
  border: 1px solid #d8dbe0;
  border-radius: 12px;
}
[data-sumup-id='widget__container'] .sumup-footer { margin-top: 16px; font-size: 13px; color: #5c6169; }
`

let isStyled = false

/**
 * Once per page. With a nonce as a style element; without one through the CSSOM, which a strict style-src
 * allows.
 * @param {string | undefined} nonce
 */
export function addStyle(nonce) {
  if (isStyled) return
  isStyled = true
  if (nonce === undefined) {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return
  }
  const style = document.createElement('style')
  style.nonce = nonce
  style.textContent = css
  document.head.append(style)
}
