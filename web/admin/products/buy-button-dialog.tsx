import { Check, Copy } from 'lucide-react'
import type { ReactNode } from 'react'

import type { Product } from '#contract/products.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useCopy } from '#web/ui/use-copy.ts'

import { buttonLabel, buttonStyle, frameStyle, writeBuyButton } from './buy-button.ts'
import { QrPanel } from './qr-panel.tsx'

type BuyButtonDialogProps = { product: Product; link: string; onClose: () => void }

export function BuyButtonDialog({ product, link, onClose }: BuyButtonDialogProps) {
  return (
    <Dialog
      title="HTML Buy Button"
      description={product.name}
      onClose={onClose}
      className="max-w-3xl"
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-7 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="flex flex-col gap-7">
          <Part title="Preview">
            <div className="rounded-lg border border-line bg-[#fff]">
              <div style={frameStyle}>
                <a href={link} target="_blank" rel="noopener" style={buttonStyle}>
                  {buttonLabel}
                </a>
              </div>
            </div>
          </Part>
          <Code html={writeBuyButton(link)} />
          <Part title="How to add it to your store">
            <ol className="list-decimal space-y-1.5 ps-5 text-sm/6 marker:text-muted">
              <li>Open your store platform’s theme editor.</li>
              <li>
                Add a section of type <strong>Custom Liquid</strong> where the button should be.
              </li>
              <li>Paste the code into it.</li>
              <li>Save and publish.</li>
            </ol>
          </Part>
        </div>
        <Part title="QR code">
          <QrPanel link={link} fileName={`checkout-${product.id.slice(0, 8)}`} />
        </Part>
      </div>
    </Dialog>
  )
}

function Code({ html }: { html: string }) {
  const { isCopied, copy } = useCopy(html)
  const Icon = isCopied ? Check : Copy

  return (
    <Part
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
    </Part>
  )
}

type PartProps = { title: string; action?: ReactNode; children: ReactNode }

function Part({ title, action, children }: PartProps) {
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
