import { Check, Copy, Download } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'

import type { Product } from '#contract/products.ts'
import { createQrCode } from '#contract/qr-code.ts'
import { LoopbackNotice } from '#web/admin/shell/loopback-notice.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SelectField } from '#web/ui/fields.tsx'
import { downloadQrPng, downloadQrSvg, renderQrSvg } from '#web/ui/qr-code.ts'
import { useCopy } from '#web/ui/use-copy.ts'

import { buttonLabel, buttonStyle, frameStyle, renderBuyButton } from './buy-button.ts'
import { codesFor, useDiscountCodes, withCode } from './discount-codes.ts'

type BuyButtonDialogProps = { product: Product; link: string; onClose: () => void }

export function BuyButtonDialog({ product, link: plainLink, onClose }: BuyButtonDialogProps) {
  const codes = codesFor(useDiscountCodes().data ?? [], product)
  const [code, setCode] = useState('')
  const link = code ? withCode(plainLink, code) : plainLink

  return (
    <Dialog
      title="HTML Buy Button"
      description={product.name}
      onClose={onClose}
      className="max-w-3xl"
    >
      <LoopbackNotice
        link={link}
        what="The button and the QR code work"
        onLeave={onClose}
        className="mb-6"
      />
      <div className="grid grid-cols-1 gap-x-8 gap-y-7 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="flex flex-col gap-7">
          {codes.length > 0 && (
            <SelectField
              label="Discount code"
              hint="In the link of the button and of the QR code."
              value={code}
              onChange={({ target }) => setCode(target.value)}
            >
              <option value="">None</option>
              {codes.map(({ id, code: name }) => (
                <option key={id} value={name}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
          <Section title="Preview">
            <div className="rounded-lg border border-line bg-[#fff]">
              <div style={frameStyle}>
                <a href={link} target="_blank" rel="noopener" style={buttonStyle}>
                  {buttonLabel}
                </a>
              </div>
            </div>
          </Section>
          <CodeSection html={renderBuyButton(link)} />
          <Section title="How to add it to your store">
            <ol className="list-decimal space-y-1.5 ps-5 text-sm/6 marker:text-muted">
              <li>Open your store platform’s theme editor.</li>
              <li>
                Add a section of type <strong>Custom Liquid</strong> where the button should be.
              </li>
              <li>Paste the code into it.</li>
              <li>Save and publish.</li>
            </ol>
          </Section>
        </div>
        <Section title="QR code">
          <QrPanel link={link} fileName={`checkout-${product.id.slice(0, 8)}`} />
        </Section>
      </div>
    </Dialog>
  )
}

function CodeSection({ html }: { html: string }) {
  const { isCopied, copy } = useCopy(html)
  const Icon = isCopied ? Check : Copy

  return (
    <Section
      title="Code"
      action={
        <Button onClick={copy}>
          <Icon aria-hidden className="size-4" />
          Copy
        </Button>
      }
    >
      <pre className="rounded-lg border border-line bg-well p-4 font-mono text-xs/5 whitespace-pre-wrap wrap-anywhere">
        <code>{html}</code>
      </pre>
    </Section>
  )
}

type QrPanelProps = { link: string; fileName: string }

function QrPanel({ link, fileName }: QrPanelProps) {
  const code = useMemo(() => createQrCode(link), [link])

  return (
    <div className="flex flex-col gap-4 sm:w-44">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(renderQrSvg(code))}`}
        alt="QR code of the checkout link"
        width={176}
        height={176}
        className="size-44 rounded-lg border border-line max-sm:mx-auto"
      />
      <p className="text-[0.8125rem]/5 text-soft">
        The same link for paper: a flyer, a parcel, a shop window.
      </p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1 sm:flex-col">
        <Button onClick={() => downloadQrSvg(code, fileName)}>
          <Download aria-hidden className="size-4" />
          Download SVG
        </Button>
        <Button onClick={() => downloadQrPng(code, fileName)}>
          <Download aria-hidden className="size-4" />
          Download PNG
        </Button>
      </div>
    </div>
  )
}

type SectionProps = { title: string; action?: ReactNode; children: ReactNode }

function Section({ title, action, children }: SectionProps) {
  return (
    <section>
      <div className="mb-2.5 flex min-h-9 items-center justify-between">
        <h3 className="font-semibold tracking-tight">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}
