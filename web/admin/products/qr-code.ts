import { encode } from 'uqr'

/** The white frame that scanners need, in modules: four, as the standard has it. */
const quietZone = 4

export type QrCode = {
  /** Modules on a side, with the frame. */
  size: number
  /** The dark modules as the outline of an SVG path, one unit to a module. */
  path: string
}

export function drawQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  return { size, path: data.map(drawRow).join('') }
}

/** Neighbours are drawn as one bar, so that no hairline shows between them. */
function drawRow(row: boolean[], y: number): string {
  const bits = row.map((isDark) => (isDark ? '1' : '0')).join('')
  return [...bits.matchAll(/1+/g)]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')
}

export function writeQrSvg({ size, path }: QrCode): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`,
  ].join('')
}
