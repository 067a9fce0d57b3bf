/** The script of the bank's pages: posts the form of the first one, reports the result of the last one. */
;(() => {
  const { message, parent: origin = '' } = document.currentScript?.dataset ?? {}
  // After load, because a navigation during the load would replace the page in the tab's history, where each
  // of a bank's pages has its own entry.
  if (message === undefined)
    addEventListener('load', () => setTimeout(() => document.forms[0]?.submit()))
  // Only to the page that framed this one.
  else if (/^https?:/.test(origin)) window.parent.postMessage(JSON.parse(message), origin)
})()
