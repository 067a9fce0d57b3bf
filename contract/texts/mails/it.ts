import type { MailTexts } from './en.ts'

export const mails: MailTexts = {
  subjectOfShop: '{subject}: {shop}',
  next: 'E adesso?',
  questions: 'Domande? Risponda a questa e-mail o scriva a',
  testOrder: {
    notice:
      'Questo è un ordine di prova: non è stato prelevato denaro e non verrà consegnato nulla.',
    meantFor:
      'Questa e-mail era destinata a {address}. Le e-mail degli ordini di prova vanno al negozio, mai a un acquirente.',
  },
  testPayment: {
    notice:
      'Questo è un pagamento di prova: non è stato prelevato denaro e non verrà consegnato nulla.',
    meantFor:
      'Questa e-mail era destinata a {address}. Le e-mail dei pagamenti di prova vanno al negozio, mai a un acquirente.',
  },
  labels: {
    orderNumber: 'Numero d’ordine',
    quantity: 'Quantità: {count}',
    subtotal: 'Subtotale',
    shipping: 'Spedizione',
    free: 'Gratis',
    total: 'Totale ({currency})',
    vat: 'IVA {rate}% inclusa',
    shippingAddress: 'Indirizzo di spedizione',
    pickupAt: 'Ritiro presso',
    pickupHours: 'Orari di apertura',
    billingAddress: 'Indirizzo di fatturazione',
    payment: 'Pagamento',
    card: 'Carta',
    seller: 'Venditore',
    vatNumber: 'Partita IVA {number}',
    parcel: 'Pacco',
    trackingNumber: 'Codice di tracciamento {number}',
    product: 'Prodotto',
    price: 'Prezzo',
  },
  buttons: {
    viewOrder: 'Vedi l’ordine',
    track: 'Segui il pacco',
    buyAgain: 'Acquista di nuovo',
  },
  confirmation: {
    subject: 'Il Suo ordine da {shop} è confermato',
    preview: '{product}, {price}. Stiamo preparando il Suo ordine.',
    title: 'Grazie!',
    confirmed: 'Il Suo ordine è confermato.',
    paid: 'Il Suo ordine è confermato e pagato.',
    getReady: 'Prepariamo il Suo ordine e lo spediamo all’indirizzo qui sopra.',
    getReadyForPickup: 'Prepariamo il Suo ordine e Le scriviamo appena può ritirarlo.',
    link: 'Il link qui sotto mostra a che punto è il Suo ordine. È valido {days} giorni.',
    keep: 'Conservi questa e-mail. Il numero d’ordine ci basta per aiutarLa.',
    returnedSubjects: {
      refund: 'Il Suo ordine da {shop} è stato rimborsato',
      chargeback: 'La banca ha stornato il pagamento del Suo ordine da {shop}',
      both: 'Il pagamento del Suo ordine da {shop} è stato rimborsato e stornato dalla banca',
    },
  },
  shipped: {
    subject: 'Il Suo ordine da {shop} è in viaggio',
    preview: '{product}: spedito al Suo indirizzo.',
    title: 'In viaggio',
    lead: 'Il Suo pacco è stato consegnato al corriere.',
    testLead: 'È così che un acquirente viene a sapere che un pacco è in viaggio.',
    tracking: 'Può passare un giorno prima che il corriere mostri dove si trova il pacco.',
    link: 'La pagina dell’ordine mostra a che punto è. Il suo link è valido {days} giorni.',
  },
  readyForPickup: {
    subject: 'Il Suo ordine da {shop} è pronto per il ritiro',
    preview: '{product}: pronto per Lei.',
    title: 'Pronto per il ritiro',
    lead: 'Il Suo ordine è pronto. Può ritirarlo all’indirizzo qui sotto.',
    testLead: 'È così che un acquirente viene a sapere che un ordine è pronto per il ritiro.',
    bring: 'Porti con sé il numero d’ordine.',
  },
  unshipped: {
    subject: 'Rettifica sul Suo ordine da {shop}',
    preview: 'Quello che abbiamo scritto su {product} era prematuro.',
    title: 'Rettifica',
    notSent:
      'Le abbiamo scritto che il Suo ordine è in viaggio. Non era esatto: non è ancora partito.',
    notReady:
      'Le abbiamo scritto che il Suo ordine è pronto per il ritiro. Non era esatto: non venga prima del nostro prossimo messaggio.',
  },
  refunded: {
    subject: 'Rimborso di {amount}: il Suo ordine da {shop}',
    title: 'Il Suo rimborso',
    lead: 'Sulla Sua carta sono tornati {amount}.',
    testLead:
      'Di questo ordine di prova l’importo di {amount} risulta restituito. Non si è mosso denaro.',
    statement: 'Possono passare alcuni giorni prima che l’estratto conto della carta lo mostri.',
    leadOtherwise: 'Sono tornati {amount} con il metodo di pagamento utilizzato.',
    statementOtherwise: 'Possono passare alcuni giorni prima che lo veda lì.',
  },
  sale: {
    noOrder: 'Non è stato creato alcun ordine e non verrà spedito nulla.',
    askShop: 'Domande? Si rivolga al negozio in cui voleva acquistare',
  },
  'payment-returned': {
    subject: 'Il Suo pagamento è stato restituito',
    testLead: 'Il pagamento è stato restituito, per quanto lo permette una prova.',
  },
  'not-charged': {
    subject: 'La Sua carta non è stata addebitata',
    subjectOtherwise: 'Non è stato addebitato nulla',
    lead: 'Abbiamo esaminato il Suo pagamento: non è stato addebitato nulla.',
    buyAgain: 'Se desidera ancora il prodotto, può acquistarlo di nuovo.',
  },
  'payment-closed': {
    subject: 'Il Suo pagamento è stato esaminato',
    lead: 'Il negozio ha esaminato il Suo pagamento. Non ne è stato creato alcun ordine.',
    ask: 'Se l’estratto conto della carta mostra l’importo, o se aspetta una consegna, si rivolga al negozio.',
    askOtherwise:
      'Se vede che l’importo è stato addebitato, o se aspetta una consegna, si rivolga al negozio.',
    keep: 'Conservi questa e-mail: indica che cosa voleva acquistare.',
  },
  withdrawal: {
    subject: 'Abbiamo ricevuto il Suo recesso',
    lead: 'Abbiamo ricevuto la Sua dichiarazione di recesso da un acquisto.',
    yourStatement: 'La Sua dichiarazione',
    statement:
      'Con la presente recedo dal mio contratto di vendita relativo all’ordine qui indicato.',
    name: 'Nome',
    email: 'E-mail',
    received: 'Ricevuta il',
    notQuoted: 'come da Lei inserito',
    keep: 'Conservi questa e-mail: mostra che cosa ha dichiarato e quando.',
    receiptOnly: 'Conferma soltanto la ricezione. Il negozio esamina poi il Suo recesso.',
    notYou: 'Se non ha fatto Lei questa dichiarazione, La preghiamo di avvisare il negozio.',
    online: 'Può recedere online: scelga «{here}» qui sotto o nella pagina del Suo ordine.',
  },
}
