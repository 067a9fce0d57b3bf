import { encode } from 'uqr'

/** The white border that scanners need, in modules, as the standard requires. */
const quietZone = 4

export type QrCode = {
  /** Modules per side, including the border. */
  size: number
  /** The dark modules as an SVG path, one unit per module. */
  path: string
}

export function createQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  return { size, path: data.map(rowPath).join('') }
}

/** Adjacent modules form one rectangle, so that no hairline shows between them. */
function rowPath(row: boolean[], y: number): string {
  const bits = row.map((isDark) => (isDark ? '1' : '0')).join('')
  return [...bits.matchAll(/1+/g)]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('')
}
