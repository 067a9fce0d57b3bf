import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

/*
 * A program of its own, started by svg.ts: reads an SVG from its input and writes it as a PNG to its output. In a process,
 * since nothing inside of one can stop a filter that takes hours.
 */

const maxSide = 1_200

sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

// As bytes, not as a path: an SVG without a place of its own has no files beside it.
const svg = await buffer(process.stdin)
// It is drawn in the final size, however many pixels it claims to have.
const bitmap = await sharp(svg, { limitInputPixels: false })
  .resize(maxSide, maxSide, { fit: 'inside' })
  .png()
  .toBuffer()
process.stdout.write(bitmap)
