import { type CSSProperties, type ReactNode, useMemo } from 'react'

import { pickupLabel, type Slip } from '#contract/paper.ts'
import { createQrCode } from '#contract/qr-code.ts'
import { renderQrSvg } from '#web/ui/qr-code.ts'

/** Millimetres of the sheet, however large it is shown. On paper they are millimetres. */
const mm = (length: number) => `calc(${length} * 100cqw / 210)`

const left = 25
const width = 160

/** A sheet of A4 with the address in the window of an envelope (DIN 5008 B). Long texts make it longer, and are never cut. */
export function SlipSheet({ slip }: { slip: Slip }) {
  const sender = slip.sender && [slip.shopName, slip.sender].filter(Boolean).join(', ')
  return (
    <article
      aria-label={`Packing slip of order ${slip.number}`}
      className="@container w-full rounded-sm border border-line bg-[#fff] text-[#111] scheme-light"
    >
      <div style={{ minHeight: mm(296.5) }} className="relative flex flex-col">
        <Part x={left} y={20} width={105} size={fitShopName(slip.shopName)} className="font-bold">
          <bdi>{slip.shopName}</bdi>
        </Part>
        <Part x={left + 105} y={20} width={width - 105} size={6} className="text-end">
          <h3 className="font-bold">Order {slip.number}</h3>
          <p style={{ fontSize: mm(3.5) }} className="text-[#555]">
            {slip.date}
          </p>
        </Part>
        <QrCode text={slip.code} />
        <Part x={left} y={36} width={78} size={fitSender(sender)} className="text-[#555]">
          {/* A long one grows upwards, away from the address. */}
          <p style={{ height: mm(13.5) }} className="flex items-end">
            {slip.isPickup ? (
              <strong style={{ fontSize: mm(2.8) }}>{pickupLabel}</strong>
            ) : (
              <bdi>{sender}</bdi>
            )}
          </p>
        </Part>
        <div style={{ paddingTop: mm(51), paddingInline: mm(left) }}>
          <address
            style={{ minHeight: mm(52), width: mm(78), fontSize: mm(fitAddress(slip.address)) }}
            className="leading-[1.25] wrap-anywhere not-italic"
          >
            {slip.address.map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal
              <bdi key={index} className="block">
                {line}
              </bdi>
            ))}
          </address>
          <Item slip={slip} />
        </div>
        {slip.contact && (
          <p
            style={{ padding: `${mm(6)} ${mm(left)} ${mm(16)}`, fontSize: mm(3.2) }}
            className="mt-auto text-[#555]"
          >
            Questions about your order? Write to <bdi>{slip.contact}</bdi>
          </p>
        )}
      </div>
    </article>
  )
}

/** Letters that are as wide as they are high; most others are half as wide. */
const wideLetters =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}]/gu

/** About how many rows these lines take where so many letters fit into one. */
function countRows(lines: string[], perRow: number): number {
  const rowsOf = (line: string) =>
    Math.ceil((line.length + (line.match(wideLetters)?.length ?? 0)) / perRow)
  return lines.reduce((sum, line) => sum + Math.max(1, rowsOf(line)), 0)
}

function fitShopName(name: string): number {
  return countRows([name], 30) <= 2 ? 6 : 3.2
}

function fitSender(sender: string): number {
  return countRows([sender], 62) <= 1 ? 2.3 : 1.9
}

/** Smaller where it is long. */
function fitAddress(lines: string[]): number {
  if (countRows(lines, 32) <= 7) return 4.05
  return countRows(lines, 40) <= 9 ? 3.35 : 2.8
}

function Item({ slip }: { slip: Slip }) {
  return (
    <div style={{ fontSize: mm(4.2) }}>
      <p style={{ fontSize: mm(5) }} className="font-bold">
        Packing slip
      </p>
      {slip.warnings.map((warning) => (
        <p key={warning} style={{ fontSize: mm(3.9), marginTop: mm(2) }} className="font-bold">
          {warning}
        </p>
      ))}
      <table style={{ marginTop: mm(6) }} className="w-full border-b border-[#999] text-start">
        <thead style={{ fontSize: mm(3.2) }} className="border-b border-[#999] text-[#555]">
          <tr>
            <th style={{ width: mm(22) }} className="text-start font-normal">
              Quantity
            </th>
            <th className="text-start font-normal">Product</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td style={{ paddingBlock: mm(2.5) }} className="align-top font-bold">
              {slip.quantity}
            </td>
            <td
              style={{ paddingBlock: mm(2.5), fontSize: mm(fitName(slip.productName)) }}
              className="leading-[1.25] wrap-anywhere"
            >
              {slip.productName || 'Unknown'}
            </td>
          </tr>
        </tbody>
      </table>
      {slip.note && (
        <div style={{ marginTop: mm(8) }}>
          <p style={{ fontSize: mm(3.2) }} className="text-[#555]">
            {slip.note.title}
          </p>
          <p
            style={{ fontSize: mm(fitNote(slip.note.lines)) }}
            className="leading-[1.25] font-bold whitespace-pre-line wrap-anywhere"
          >
            <bdi>{slip.note.lines.join('\n')}</bdi>
          </p>
        </div>
      )}
    </div>
  )
}

function fitName(name: string): number {
  return countRows([name], 60) <= 3 ? 4.2 : 3.2
}

/** Smaller where it has many lines. */
function fitNote(lines: string[]): number {
  if (countRows(lines, 60) <= 16) return 4.9
  return countRows(lines, 85) <= 26 ? 3.5 : 2.5
}

type PartProps = {
  x: number
  y: number
  width: number
  size: number
  className: string
  children: ReactNode
}

function Part({ x, y, width: partWidth, size, className, children }: PartProps) {
  const style: CSSProperties = {
    left: mm(x),
    top: mm(y),
    width: mm(partWidth),
    fontSize: mm(size),
    lineHeight: 1.25,
  }
  return (
    <div style={style} className={`absolute wrap-anywhere ${className}`}>
      {children}
    </div>
  )
}

function QrCode({ text }: { text: string }) {
  const svg = useMemo(() => renderQrSvg(createQrCode(text)), [text])
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt={`QR code ${text}`}
      style={{ left: mm(157), top: mm(47), width: mm(32) }}
      className="absolute max-w-none"
    />
  )
}
