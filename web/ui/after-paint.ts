/** For what is needed soon, but not for what is about to be seen. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work))
}
