import type PDFDocument from 'pdfkit'
import { createQrCode } from '#contract/qr-code.ts'
import { fontFiles, loadCharacters, toPrintable } from './printable.ts'

/** Points of a millimetre. */
export const mm = 72 / 25.4

export const sheet = { width: 210 * mm, height: 297 * mm }

export type Box = { x: number; y: number; width: number }
export type TextStyle = {
  size: number
  isBold?: boolean
  colour?: string
  align?: 'left' | 'right'
  /** What is longer ends with an ellipsis. */
  maxLines?: number
}

/** The sheets of one PDF. All lengths are in points, from the upper left corner. */
export type Sheets = Awaited<ReturnType<typeof openSheets>>

/** Loaded when something is printed: with its font library it takes 20 MB. */
export async function openSheets(title: string) {
  const [{ default: Document }, characters] = await Promise.all([
    import('pdfkit'),
    loadCharacters(),
  ])
  const pdf = new Document({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: title, Producer: 'Till', Creator: 'Till' },
    font: fontFiles.regular,
  })
  const bytes = collect(pdf)

  /** Lines that are close together, as in a letter: the font leaves much space for accents. */
  function style({ size, isBold = false, colour = '#111', align = 'left' }: TextStyle) {
    pdf.font(isBold ? fontFiles.bold : fontFiles.regular, size).fillColor(colour)
    return { align, lineGap: -0.1 * size }
  }

  function lineHeight(look: TextStyle): number {
    const { lineGap } = style(look)
    return pdf.currentLineHeight(true) + lineGap
  }

  function heightOf(text: string, width: number, look: TextStyle): number {
    return measure(fit(text, width, look), width, look)
  }

  function measure(printable: string, width: number, look: TextStyle): number {
    return pdf.heightOfString(printable, { width, ...style(look) })
  }

  /** As much of the text as its lines take. */
  function fit(text: string, width: number, look: TextStyle): string {
    const printable = toPrintable(text, characters)
    const { maxLines = Infinity } = look
    // Half a line more: heights are not whole numbers.
    const maxHeight = (maxLines + 0.5) * lineHeight(look)
    const fits = (part: string) => measure(part, width, look) <= maxHeight
    if (fits(printable)) return printable
    const letters = Array.from(printable)
    const cut = (length: number) => `${letters.slice(0, length).join('').trimEnd()}…`
    let [shorter, longer] = [0, letters.length]
    while (longer - shorter > 1) {
      const middle = Math.floor((shorter + longer) / 2)
      if (fits(cut(middle))) shorter = middle
      else longer = middle
    }
    return cut(shorter)
  }

  return {
    addSheet: () => void pdf.addPage(),
    heightOf,
    /** Returns where the text ends. */
    write: (text: string, { x, y, width }: Box, look: TextStyle): number => {
      const fitting = fit(text, width, look)
      pdf.text(fitting, x, y, { ...style(look), width })
      return y + measure(fitting, width, look)
    },
    line: ({ x, y, width }: Box): void => {
      pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.5)
        .stroke('#999')
    },
    /** A box to tick. */
    box: ({ x, y, width }: Box): void => {
      pdf.rect(x, y, width, width).lineWidth(0.7).stroke('#555')
    },
    qrCode: (text: string, { x, y, width }: Box): void => {
      const { size, path } = createQrCode(text)
      pdf
        .save()
        .translate(x, y)
        .scale(width / size)
        .path(path)
        .fill('#000')
        .restore()
    },
    finish: (): Promise<Buffer> => {
      pdf.end()
      return bytes
    },
  }
}

async function collect(pdf: InstanceType<typeof PDFDocument>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pdf) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
