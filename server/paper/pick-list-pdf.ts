import { setImmediate } from 'node:timers/promises'
import { listPicks, type PickedProduct, type Slip } from '#contract/paper.ts'
import { mm, openSheets, sheet, type Sheets } from './pdf.ts'

const left = 20 * mm
const width = sheet.width - 2 * left
const top = 18 * mm
const bottom = sheet.height - 18 * mm
const numberWidth = 28 * mm
const soft = '#555'

/** Products with how many of each are needed, and the orders that they are for. */
export async function renderPickList(slips: readonly Slip[]): Promise<Buffer> {
  const sheets = await openSheets('Pick list')
  const page = createPages(sheets)
  const quantity = listPicks(slips).reduce((sum, picked) => sum + picked.quantity, 0)
  page.row(30, (y) => {
    const end = sheets.write('Pick list', { x: left, y, width }, { size: 17, isBold: true })
    const summary = `${slips[0]?.printedOn ?? ''} · ${slips.length} order(s) · ${quantity} item(s)`
    return sheets.write(summary, { x: left, y: end, width }, { size: 10, colour: soft })
  })
  for (const product of listPicks(slips)) {
    page.gap(7 * mm)
    drawProduct(sheets, page, product)
    for (const slip of product.slips) {
      drawOrder(sheets, page, slip)
      // Buyers are served in between.
      await setImmediate()
    }
  }
  return sheets.finish()
}

type Pages = ReturnType<typeof createPages>

/** Rows below each other; one that does not fit begins the next sheet. */
function createPages({ addSheet }: Sheets) {
  let y = Infinity
  return {
    gap: (height: number): void => {
      y += height
    },
    row: (height: number, draw: (y: number) => number): void => {
      if (y + height > bottom) {
        addSheet()
        y = top
      }
      y = draw(y)
    },
  }
}

const orderRowHeight = 7 * mm

function drawProduct({ write, heightOf, line }: Sheets, page: Pages, product: PickedProduct): void {
  const look = { size: 12, isBold: true, maxLines: 3 }
  const nameWidth = width - numberWidth
  const name = product.productName || 'Unknown'
  // Not alone at the end of a sheet.
  page.row(heightOf(name, nameWidth, look) + 2 * orderRowHeight, (y) => {
    write(`${product.quantity} ×`, { x: left, y, width: numberWidth }, { ...look, maxLines: 1 })
    const end = write(name, { x: left + numberWidth, y, width: nameWidth }, look) + 1.5 * mm
    line({ x: left, y: end, width })
    return end + 1.5 * mm
  })
}

function drawOrder({ write, heightOf, box }: Sheets, page: Pages, slip: Slip): void {
  const look = { size: 10, maxLines: 2 }
  const text = [slip.recipient || '–', slip.quantity > 1 && `${slip.quantity} ×`]
    .filter(Boolean)
    .join(' · ')
  const column = { x: left + numberWidth, width: width - numberWidth }
  const warning = slip.warnings.join(' ')
  const warningLook = { size: 9, isBold: true, maxLines: 3 }
  const height =
    heightOf(text, column.width, look) +
    (warning ? heightOf(warning, column.width, warningLook) : 0)
  page.row(height, (y) => {
    box({ x: left, y: y + 0.8 * mm, width: 3 * mm })
    write(slip.number, { x: left + 5 * mm, y, width: numberWidth - 5 * mm }, look)
    const end = write(text, { ...column, y }, look)
    const last = warning ? write(warning, { ...column, y: end }, warningLook) : end
    return last + 1.5 * mm
  })
}
