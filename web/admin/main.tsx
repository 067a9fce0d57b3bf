import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { type ComponentType, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

import { TooltipProvider } from '#web/ui/tooltip.tsx'
import { useToasts } from '#web/ui/use-toast.ts'
import { whenIdle } from '#web/ui/when-idle.ts'

import { ErrorBoundary } from './shell/error-boundary.tsx'
import { queryClient } from './shell/query-client.ts'
import { Routes } from './shell/routes.tsx'
import { prepareFirstScreen } from './shell/screens.ts'
import { guardBackNavigation } from './shell/unsaved-changes.ts'

guardBackNavigation()

// The server puts a fresh nonce into every page; the scroll lock behind dialogs needs it for its style.
const nonce = document.getElementById('csp-nonce')?.nonce
if (nonce) setNonce(nonce)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void prepareFirstScreen(location.pathname).then(() => createRoot(root).render(<App />))

function App() {
  return (
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <TooltipProvider>
            <Routes />
            <LateToaster />
          </TooltipProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  )
}

/** Loads when the page is idle, or with the first toast; where that failed, with the next one. */
function LateToaster() {
  const [Toaster, setToaster] = useState<ComponentType>()
  const toasts = useToasts()
  useEffect(() => {
    if (Toaster) return undefined
    function load(): void {
      import('#web/ui/toaster.tsx').then(
        (loaded) => setToaster(() => loaded.Toaster),
        () => {},
      )
    }
    if (toasts.length > 0) return load()
    return whenIdle(load)
  }, [Toaster, toasts])
  return Toaster && <Toaster />
}
