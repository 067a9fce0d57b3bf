/** A payment that takes longer has to be asked for by the shop. */
const answerTimeoutMs = 60_000

/** @typedef {{ ok: boolean, status: number, body: any }} GatewayAnswer */
/** @typedef {ReturnType<typeof createGateway>} Gateway */

/** The widget's calls, to where its script came from. @param {string} base */
export function createGateway(base) {
  /**
   * @param {string} checkoutId
   * @param {RequestInit} [init]
   * @returns {Promise<GatewayAnswer>}
   */
  async function call(checkoutId, init = {}) {
    const response = await fetch(`${base}/v0.2/checkouts/${encodeURIComponent(checkoutId)}`, {
      ...init,
      credentials: 'omit',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    return { ok: response.ok, status: response.status, body: await response.json() }
  }

  return {
    /** @param {string} checkoutId */
    read: (checkoutId) => call(checkoutId),
    /** @param {string} checkoutId @param {object} payment */
    pay: (checkoutId, payment) =>
      call(checkoutId, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payment),
      }),
  }
}
