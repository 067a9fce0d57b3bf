import { QueryClientProvider } from '@tanstack/react-query'

import { Toaster } from '#web/ui/toaster.tsx'
import { TooltipProvider } from '#web/ui/tooltip.tsx'

import { ErrorBoundary } from './error-boundary.tsx'
import { queryClient } from './query-client.ts'
import { Routes } from './routes.tsx'

export function App() {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Toaster>
            <Routes />
          </Toaster>
        </TooltipProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
