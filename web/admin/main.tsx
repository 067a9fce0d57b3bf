import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Toaster } from '#web/ui/toaster.tsx'
import { TooltipDelay } from '#web/ui/tooltip.tsx'

import { screens } from './screens.ts'
import { guardBackNavigation } from './session/unsaved-changes.ts'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { queryClient } from './shell/query-client.ts'
import { Routes } from './shell/routes.tsx'
import { prepareFirstPage, ScreensContext } from './shell/screen-loading.ts'

guardBackNavigation()

// The server puts a fresh nonce into every page; the scroll lock behind dialogs needs it for its style.
const nonce = document.getElementById('csp-nonce')?.nonce
if (nonce) setNonce(nonce)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void prepareFirstPage(screens, location.pathname).then(() => createRoot(root).render(<App />))

function App() {
  return (
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <TooltipDelay>
            <ScreensContext value={screens}>
              <Routes />
            </ScreensContext>
          </TooltipDelay>
          <Toaster />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  )
}
