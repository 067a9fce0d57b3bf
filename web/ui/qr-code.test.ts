import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderQrSvg } from './qr-code.ts'

test('the file to download is black on white, whatever page it is put on', () => {
  const svg = renderQrSvg({ size: 2, path: 'M0 0h1v1h-1z' })
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 2 2"/)
  assert.match(svg, /fill="#fff" d="M0 0h2v2H0z".*fill="#000" d="M0 0h1v1h-1z"/)
})
