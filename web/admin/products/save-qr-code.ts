import { type QrCode, writeQrSvg } from './qr-code.ts'

/** Sharp on a poster. */
const leastPixels = 1024

export function saveSvg(code: QrCode, name: string) {
  saveFile(new Blob([writeQrSvg(code)], { type: 'image/svg+xml' }), `${name}.svg`)
}

/** Each module is a whole number of pixels, so that every edge is sharp. */
export function savePng(code: QrCode, name: string) {
  const scale = Math.ceil(leastPixels / code.size)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = code.size * scale
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(scale, scale)
  pen.fillStyle = '#000'
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas is no array
  pen.fill(new Path2D(code.path))
  canvas.toBlob((blob) => blob && saveFile(blob, `${name}.png`), 'image/png')
}

function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
