import { setImmediate } from 'node:timers/promises'
import { pickupLabel, type Slip } from '#contract/paper.ts'
import { mm, openSheets, sheet, type Box, type Sheets, type TextStyle } from './pdf.ts'

const left = 25 * mm
const width = sheet.width - 2 * left
const soft = '#555'

/** The window of an envelope as DIN 5008 B places it: the sheet is folded twice. */
const addressField = { x: left, y: 51 * mm, width: 78 * mm, height: 39 * mm }
const senderLine: Box = { x: left, y: 46 * mm, width: addressField.width }
/** Where the letter below it begins. */
const bodyTop = 103 * mm
/** Above the line with the shop's address. */
const noteBottom = 268 * mm
/** With its white border, which may be outside of the text. */
const qrCode: Box = { x: sheet.width - left - 28 * mm, y: 47 * mm, width: 32 * mm }

/** One sheet for each order, in the order given. */
export async function renderSlips(slips: readonly Slip[]): Promise<Buffer> {
  const sheets = await openSheets('Packing slips')
  for (const slip of slips) {
    drawSlip(sheets, slip)
    // Buyers are served in between.
    await setImmediate()
  }
  return sheets.finish()
}

function drawSlip(sheets: Sheets, slip: Slip): void {
  sheets.addSheet()
  const { write } = sheets
  write(
    slip.shopName,
    { x: left, y: 20 * mm, width: 105 * mm },
    { size: 17, isBold: true, maxLines: 2 },
  )
  write(
    `Order ${slip.number}`,
    { x: left + 105 * mm, y: 20 * mm, width: width - 105 * mm },
    { size: 17, isBold: true, align: 'right' },
  )
  write(
    slip.date,
    { x: left + 105 * mm, y: 29 * mm, width: width - 105 * mm },
    { size: 10, colour: soft, align: 'right' },
  )
  if (slip.sender && !slip.isPickup)
    write([slip.shopName, slip.sender].filter(Boolean).join(', '), senderLine, {
      size: 6.5,
      colour: soft,
      maxLines: 1,
    })
  if (slip.isPickup) write(pickupLabel, senderLine, { size: 8, isBold: true, maxLines: 1 })
  sheets.qrCode(slip.code, qrCode)
  const bottom = drawAddress(sheets, slip.address)
  drawItem(sheets, slip, Math.max(bodyTop, bottom + 10 * mm))
  if (slip.contact)
    write(
      `Questions about your order? Write to ${slip.contact}`,
      { x: left, y: 275 * mm, width },
      { size: 9, colour: soft, maxLines: 2 },
    )
}

/** Smaller where it is long, and never cut: half an address is none. */
function drawAddress({ heightOf, write }: Sheets, lines: string[]): number {
  const { x, width: lineWidth, height } = addressField
  const looks: TextStyle[] = [{ size: 11.5 }, { size: 9.5 }, { size: 8 }]
  const total = (look: TextStyle) =>
    lines.reduce((sum, line) => sum + heightOf(line, lineWidth, look), 0)
  const look = looks.find((one) => total(one) <= height) ?? { size: 8 }
  return lines.reduce((y, line) => write(line, { x, y, width: lineWidth }, look), addressField.y)
}

/** As large as there is room, and never cut. */
function drawNote(
  { heightOf, write }: Pick<Sheets, 'heightOf' | 'write'>,
  { title, lines }: NonNullable<Slip['note']>,
  top: number,
): void {
  const y = write(title, { x: left, y: top, width }, { size: 9, colour: soft }) + 1 * mm
  const looks: TextStyle[] = [14, 10, 7].map((size) => ({ size, isBold: true }))
  const total = (look: TextStyle) =>
    lines.reduce((sum, line) => sum + heightOf(line || ' ', width, look), 0)
  const look = looks.find((one) => y + total(one) <= noteBottom) ?? { size: 7, isBold: true }
  lines.reduce((lineTop, line) => write(line || ' ', { x: left, y: lineTop, width }, look), y)
}

function drawItem({ write, line, heightOf }: Sheets, slip: Slip, top: number): void {
  const quantityWidth = 22 * mm
  const product = { x: left + quantityWidth, width: width - quantityWidth }
  let y = write('Packing slip', { x: left, y: top, width }, { size: 14, isBold: true })
  for (const warning of slip.warnings)
    y = write(warning, { x: left, y: y + 2 * mm, width }, { size: 11, isBold: true })
  y += 6 * mm
  write('Quantity', { x: left, y, width: quantityWidth }, { size: 9, colour: soft })
  y = write('Product', { ...product, y }, { size: 9, colour: soft }) + 1 * mm
  line({ x: left, y, width })
  y += 2.5 * mm
  write(
    String(slip.quantity),
    { x: left, y, width: quantityWidth },
    { size: 12, isBold: true, maxLines: 1 },
  )
  y = write(slip.productName || 'Unknown', { ...product, y }, { size: 12, maxLines: 8 }) + 2.5 * mm
  line({ x: left, y, width })
  if (slip.note) drawNote({ write, heightOf }, slip.note, y + 8 * mm)
}
