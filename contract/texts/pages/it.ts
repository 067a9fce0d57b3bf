import type { PageTexts } from './texts.ts'

export const it: PageTexts = {
  titles: {
    checkout: '{product} · Cassa',
    paused: '{product} · In pausa',
    thankYou: 'Grazie! · {shop}',
  },
  language: 'Lingua',
  checkout: {
    title: 'Cassa',
    testMode: 'Modalità test',
    needsScript: 'Per pagare qui serve JavaScript. Lo attivi e ricarichi questa pagina.',
    summary: 'Riepilogo ordine',
    showSummary: 'Mostra riepilogo ordine',
    hideSummary: 'Nascondi riepilogo ordine',
    quantity: 'Quantità: {count}',
    subtotal: 'Subtotale',
    shipping: 'Spedizione',
    free: 'Gratis',
    total: 'Totale',
  },
  recent: {
    label: 'Il Suo ultimo ordine',
    justNow: 'Ha appena acquistato questo prodotto.',
    oneMinute: 'Ha acquistato questo prodotto 1 minuto fa.',
    minutes: 'Ha acquistato questo prodotto {minutes} minuti fa.',
    isTest: 'Era un ordine di prova: non è stato prelevato denaro.',
    isPaid: 'È pagato, non occorre pagare di nuovo.',
<<<<<<< HEAD
    see: 'Vedi il Suo ordine',
=======
    see: 'Vedi l’ordine',
>>>>>>> texts
  },
  footer: {
    newTab: '(si apre in una nuova scheda)',
    close: 'Chiudi',
    thisShop: 'questo negozio',
    atStart: 'Questo negozio',
    writeTo: 'Scriva a {email}.',
    reach: 'Può contattare {shop} tramite il sito, o il messaggio, da cui proviene.',
    refund: 'Rimborsi',
    refundTexts: [
      'Se qualcosa non va con il Suo ordine, {shop} desidera saperlo. {contact}',
      'Indichi il numero d’ordine: si trova nell’e-mail di conferma e nella pagina dopo l’acquisto. I rimborsi tornano sulla carta utilizzata. I Suoi diritti di legge restano invariati.',
    ],
    shipping: 'Spedizioni',
    shippingTexts: [
      '{theShop} invia il Suo ordine con spedizione standard all’indirizzo inserito qui. La spedizione è gratuita.',
      'Domande sulla consegna? {contact}',
    ],
    privacy: 'Informativa privacy',
    privacyTexts: [
<<<<<<< HEAD
      '{theShop} usa i dati inseriti qui per elaborare il Suo ordine, consegnarlo e scriverle in merito. Le novità vengono inviate solo su richiesta.',
=======
      '{theShop} usa i dati inseriti qui per elaborare il Suo ordine, consegnarlo e scriverLe in merito. Le novità vengono inviate solo su richiesta.',
>>>>>>> texts
      'I dati della carta vanno direttamente a SumUp, il fornitore di servizi di pagamento. Il negozio non li vede e non li conserva. Se sceglie di salvare i Suoi dati, restano su questo dispositivo.',
      'Per consultare, correggere o cancellare i dati conservati su di Lei: {contact}',
    ],
    terms: 'Condizioni di vendita',
    termsTexts: [
<<<<<<< HEAD
      'Pagando ordina da {shop} il prodotto mostrato qui al totale mostrato qui. Il contratto è concluso quando il pagamento è confermato; riceverà un’e-mail che lo comunica.',
      'Domande? {contact}',
    ],
    contact: 'Contatti',
    contactTexts: ['Acquista da {shop}. Qui non è indicato alcun indirizzo e-mail. {contact}'],
=======
      'Con il pagamento Lei ordina da {shop} il prodotto mostrato qui al totale mostrato qui. Il contratto è concluso quando il pagamento è confermato; riceverà un’e-mail che lo comunica.',
      'Domande? {contact}',
    ],
    contact: 'Contatti',
    contactTexts: ['Il venditore è {shop}. Qui non è indicato alcun indirizzo e-mail. {contact}'],
>>>>>>> texts
    imprint: 'Note legali',
    vatNumber: 'Partita IVA: {number}',
  },
  missing: {
    'Product not found': 'Prodotto non trovato',
    'Order not found': 'Ordine non trovato',
    'Page Not Found': 'Pagina non trovata',
    productReason:
<<<<<<< HEAD
      'Questo prodotto non è più in vendita, oppure al link manca una parte. Ne chieda uno nuovo al negozio che lo ha inviato.',
    orderReason:
      'A questo indirizzo non c’è alcun ordine. Controlli se al link nell’e-mail di conferma manca una parte.',
    pageReason:
      'A questo indirizzo non c’è nulla. Controlli se al link manca una parte, o ne chieda uno nuovo al negozio che lo ha inviato.',
=======
      'Questo prodotto non è più in vendita, oppure il link è incompleto. Ne chieda uno nuovo al negozio che lo ha inviato.',
    orderReason:
      'A questo indirizzo non c’è alcun ordine. Controlli che il link dell’e-mail di conferma sia completo.',
    pageReason:
      'A questo indirizzo non c’è nulla. Controlli che il link sia completo, o ne chieda uno nuovo al negozio che lo ha inviato.',
>>>>>>> texts
  },
  paused: {
    title: 'Al momento non in vendita',
    text: 'Il negozio ha sospeso la vendita di {product}. Torni più tardi. Se ha appena pagato, il Suo ordine prosegue come di consueto.',
  },
  problem: 'Questa pagina al momento non è disponibile',
  thankYou: {
    yourOrder: 'Il Suo ordine',
    title: 'Grazie!',
    confirmed: 'Il Suo ordine è stato confermato',
    mailSent: 'Un’e-mail di conferma è in arrivo all’indirizzo {email}',
    mailOfTest: 'Trattandosi di una prova, non viene inviata alcuna e-mail di conferma a {email}',
    testOrder: 'Ordine di prova:',
    testNote: 'non è stato prelevato denaro, non verrà consegnato nulla.',
    orderNumber: 'Numero d’ordine',
    copyOrderNumber: 'Copia numero d’ordine',
    status: 'Stato',
    date: 'Data',
    parcel: 'Pacco',
    copyTracking: 'Copia codice di tracciamento',
    track: 'Segui il pacco',
    shippingAddress: 'Indirizzo di spedizione',
    billingAddress: 'Indirizzo di fatturazione',
    paymentMethod: 'Metodo di pagamento',
    card: 'Carta',
    preparing: 'In preparazione',
    onItsWay: 'In viaggio',
    completed: 'Completato',
    vat: 'IVA {rate}% inclusa',
    sellersVatNumber: 'Partita IVA {number}',
    print: 'Stampa',
    changedYourMind: 'Ha cambiato idea?',
    next: 'E adesso?',
    done: '(fatto)',
    steps: {
      paid: 'Il negozio ha il Suo ordine e il Suo pagamento',
      unpaid: 'Il negozio ha il Suo ordine',
      packed: 'Il Suo ordine viene preparato e imballato',
      sent: 'Il Suo pacco è in viaggio con spedizione standard',
    },
    testSteps: {
      paid: 'Il negozio ha il Suo ordine di prova e nessun pagamento',
      packed: 'Un ordine vero verrebbe ora preparato e imballato',
      sent: 'Un pacco vero sarebbe poi in viaggio con spedizione standard',
    },
  },
  returned: {
    titles: {
      refund: 'Il Suo ordine è stato rimborsato',
<<<<<<< HEAD
      chargeback: 'Il Suo ordine è stato stornato dalla banca',
      both: 'Il Suo ordine è stato rimborsato e stornato dalla banca',
=======
      chargeback: 'Il Suo pagamento è stato stornato dalla banca',
      both: 'Il Suo pagamento è stato rimborsato e stornato dalla banca',
>>>>>>> texts
    },
    labels: {
      refund: 'Rimborsato',
      chargeback: 'Stornato',
      both: 'Rimborsato e stornato',
    },
    refunded:
      'Sulla Sua carta sono tornati {amount}. Possono passare alcuni giorni prima che l’estratto conto della carta lo mostri.',
    chargedBack: 'La Sua banca ha ripreso {amount} dal negozio.',
  },
  withdrawal: {
    here: 'Recedere dal contratto qui',
    confirm: 'Conferma recesso',
    policy: 'Diritto di recesso',
    received: 'Il Suo recesso è stato ricevuto',
<<<<<<< HEAD
    which: 'Ci dica da quale acquisto recede. Non è tenuto a indicare un motivo.',
=======
    which: 'Ci dica da quale acquisto recede. Non occorre indicare un motivo.',
>>>>>>> texts
    name: 'Nome e cognome',
    orderNumber: 'Numero d’ordine',
    orderNumberHint: 'Si trova nell’e-mail di conferma, ad esempio #1042.',
    email: 'E-mail',
    emailHint: 'Quella usata per l’acquisto. Lì viene inviata la conferma di ricezione.',
    continue: 'Continua',
    change: 'Modifica i dati',
    aboutToState: 'Sta per dichiarare:',
    statement:
      'Con la presente recedo dal mio contratto di vendita relativo all’ordine {orderNumber}.',
    receivedText:
      'Abbiamo ricevuto il Suo recesso in data {receivedAt}. Ne confermiamo la ricezione via e-mail a {email}, con contenuto, data e ora, salvo che nell’ultima ora siano state inviate troppe di queste e-mail.',
  },
}
