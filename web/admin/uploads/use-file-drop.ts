import { type ClipboardEvent, type DragEvent, useEffect, useState } from 'react'

/** A place that takes a file by drop or paste. Spread `target` on it. */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false)

  function take(event: DragEvent | ClipboardEvent, data: DataTransfer) {
    const [file] = data.files
    if (!file) return
    event.preventDefault()
    onFile(file)
  }

  const target = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
    },
    onDrop: (event: DragEvent) => {
      setIsOver(false)
      take(event, event.dataTransfer)
    },
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
  }
  return { isOver, target }
}

/** A file dropped beside the place for it would open in the tab, and everything typed would be gone. */
export function useNoStrayDrops() {
  useEffect(() => {
    const refuse = (event: Event) => event.preventDefault()
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}
