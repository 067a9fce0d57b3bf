import type { QrCode } from '#contract/qr-code.ts'

import { downloadFile } from './download-file.ts'

/** Sharp when printed on a poster. */
const minPngPixels = 1024

export function renderQrSvg({ size, path }: QrCode): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`,
  ].join('')
}

export function downloadQrSvg(code: QrCode, name: string) {
  downloadFile(new Blob([renderQrSvg(code)], { type: 'image/svg+xml' }), `${name}.svg`)
}

/** Each module is a whole number of pixels, so that every edge is sharp. */
export function downloadQrPng(code: QrCode, name: string) {
  const scale = Math.ceil(minPngPixels / code.size)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = code.size * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is not an array
  context.fill(new Path2D(code.path))
  canvas.toBlob((blob) => blob && downloadFile(blob, `${name}.png`), 'image/png')
}
