/**
 * Posts the form once the page is there. A browser takes a navigation during the load for a redirection and
 * writes it over the page in its history; a bank's pages each have an entry of their own.
 */
addEventListener('load', () => setTimeout(() => document.forms[0]?.submit()))
