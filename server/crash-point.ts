/**
 * Points of a sale, and of the first start of a database, at which a killed process is most dangerous. They do nothing unless a test has armed one: then the
 * process dies there by SIGKILL, and the test checks what is left.
 */
export const crashPoints = [
  'checkout-asked',
  'row-inserted',
  'sumup-answered',
  'checkout-opened',
  'details-read',
  'details-saved',
  'webhook-read',
  'webhook-recorded',
  'payment-seen',
  'order-committed',
  'passwords-set',
  'secret-written',
  'access-closed',
] as const
export type CrashPoint = (typeof crashPoints)[number]

let armed: CrashPoint | undefined

export function armCrashPoint(point: CrashPoint): void {
  armed = point
}

export function crashPoint(point: CrashPoint): void {
  if (point !== armed) return
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment; no further line may run.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
