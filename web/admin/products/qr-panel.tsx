import { Download } from 'lucide-react'
import { useMemo } from 'react'

import { Button } from '#web/ui/button.tsx'

import { drawQrCode, writeQrSvg } from './qr-code.ts'
import { savePng, saveSvg } from './save-qr-code.ts'

type QrPanelProps = { link: string; fileName: string }

/** The same link for paper: a parcel, a poster, a shop window. */
export function QrPanel({ link, fileName }: QrPanelProps) {
  const code = useMemo(() => drawQrCode(link), [link])

  return (
    <div className="flex flex-col gap-4 sm:w-44">
      <img
        src={`data:image/svg+xml,${encodeURIComponent(writeQrSvg(code))}`}
        alt="QR code of the checkout link"
        width={176}
        height={176}
        className="size-44 rounded-lg border border-line max-sm:mx-auto"
      />
      <p className="text-[0.8125rem]/5 text-soft">
        The same link for paper: a flyer, a parcel, a shop window.
      </p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1 sm:flex-col">
        <Button onClick={() => saveSvg(code, fileName)}>
          <Download aria-hidden className="size-4" />
          Download SVG
        </Button>
        <Button onClick={() => savePng(code, fileName)}>
          <Download aria-hidden className="size-4" />
          Download PNG
        </Button>
      </div>
    </div>
  )
}
