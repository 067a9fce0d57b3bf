import type { CheckoutTexts, MethodTexts, PageTexts, PriceTexts, WithdrawalTexts } from './en.ts'

export const checkout: CheckoutTexts = {
  contact: {
    title: 'Contatti',
    required: 'obbligatorio',
    email: 'E-mail',
    didYouMean: 'Intendeva {domain}?',
    news: 'Desidero ricevere novità e offerte via e-mail',
  },
  choice: {
    fewLeft: 'Solo {count} in magazzino',
    chosen: '{name}: {value}',
  },
  delivery: {
    title: 'Consegna',
    keep: 'Salva questi dati per la prossima volta',
    clear: 'Non è Lei? Cancella',
    kept: 'Solo su questo dispositivo. I dati della carta non vengono mai salvati.',
    choose: 'Consegna o ritiro',
    ship: 'Consegna',
    pickup: 'Ritiro',
    pickupPhoneHint: 'Solo per domande sul ritiro.',
  },
  fields: {
    optional: '(facoltativo)',
    country: 'Paese',
    chooseCountry: 'Scelga un Paese',
    firstName: 'Nome',
    lastName: 'Cognome',
    address: 'Via e numero civico',
    apartment: 'Interno, scala',
    city: 'Città',
    state: 'Prov./Stato',
    province: 'Provincia',
    prefecture: 'Prefettura',
    county: 'Contea',
    region: 'Regione',
    emirate: 'Emirato',
    stateHint: 'Serve al corriere',
    zipCode: 'CAP',
    postcode: 'CAP',
    usuallyLike: 'Di solito: {example}',
    phone: 'Telefono',
    phoneHint: 'Solo per domande sulla consegna.',
    charactersLeft: 'Caratteri rimanenti: {count}',
  },
  errors: {
    title: 'C’è un problema',
    forBilling: '{error} (fatturazione)',
    inTitle: 'Errore: ',
    noEmail: 'Inserisca l’indirizzo e-mail',
    email: 'Inserisca un’e-mail come nome@example.com',
    country: 'Scelga un Paese',
    firstName: 'Inserisca il nome',
    lastName: 'Inserisca il cognome',
    address: 'Inserisca l’indirizzo',
    city: 'Inserisca la città',
    state: 'Inserisca lo Stato o la provincia',
    zipCode: 'Inserisca il CAP',
    postcode: 'Inserisca il CAP',
    choice: 'Da scegliere: {name}',
    note: 'Compili «{label}»',
    wrongField: 'Controlli questo dato.',
  },
  shipping: {
    title: 'Metodo di spedizione',
    addressFirst: 'Inserisca il Suo indirizzo per vedere come avverrà la consegna.',
    standard: 'Spedizione standard',
    ready: 'Pronto per la spedizione',
    free: 'Gratis',
    calculating: 'calcolo in corso…',
  },
  billing: {
    title: 'Indirizzo di fatturazione',
    same: 'Uguale all’indirizzo di spedizione',
    other: 'Usa un altro indirizzo di fatturazione',
    none: 'Nessun indirizzo di fatturazione',
  },
  payment: {
    title: 'Pagamento',
    card: 'Carta di credito',
    secure: 'Sicuro e crittografato',
    charged: 'Le verrà addebitato l’importo di {amount}',
    testCards: 'Carte di prova',
    copy: 'Copia {text}',
    succeeds: 'accettata',
    asksForSecure: 'richiede 3-D Secure',
    testNote:
      'Qualsiasi data futura e qualsiasi CVC. La maggior parte degli altri numeri viene rifiutata. Non viene addebitato nulla.',
    loading: 'Caricamento…',
    stillLoading:
      'Se non cambia nulla, la connessione si è interrotta. In tal caso ricarichi questa pagina.',
    confirming: 'Conferma del pagamento in corso…',
    bankPage: 'La pagina della Sua banca qui non funziona?',
    leaveBankPage: 'Chiuderla e attendere la banca',
    notLoaded: 'Il modulo di pagamento non si è caricato.',
    checkConnection:
      'Controlli la connessione, e se un blocco della pubblicità ferma questo modulo. Poi riprovi.',
    needsCookies:
      'Il Suo browser rifiuta i cookie, necessari per questo modulo. Li consenta qui e riprovi.',
    tryAgain: 'Riprova',
    needsScript: 'Il modulo della carta richiede JavaScript.',
    due: 'Da pagare',
    pay: 'Ordine con obbligo di pagare',
    processing: 'Elaborazione…',
    provider:
      'I dati della carta vanno direttamente a SumUp, il nostro fornitore di servizi di pagamento. Questo negozio non li vede mai.',
  },
  connection: {
    lost: 'Al momento il negozio non è raggiungibile.',
    typed:
      'Ciò che ha inserito resta salvato, e questa pagina prosegue da sola appena torna la connessione.',
    unsent: 'La Sua carta non è ancora stata inviata. Questa pagina riprova da sola.',
    sent: 'La preghiamo di non pagare di nuovo: questa pagina prosegue da sola appena torna la connessione.',
    noPayment:
      'La connessione si è interrotta, e non è arrivato alcun pagamento con la Sua carta. Riprovi.',
  },
  withdrawal: {
    notice: 'Può recedere da questo acquisto entro {days} giorni.',
    policy: 'Diritto di recesso',
    notSent: 'L’invio non è riuscito. Controlli la connessione e riprovi.',
  },
  shop: {
    theShop: 'il negozio',
    questions: 'Domande? Può contattare {shop}: {email}',
    questionsElsewhere:
      'Domande? Può contattare {shop} tramite il sito o il messaggio in cui ha trovato il link.',
  },
  toasts: {
    region: 'Notifiche (F8)',
    close: 'Chiudi',
    lookAgain: 'Controlli di nuovo',
    widgetError: 'Errore nel modulo di pagamento',
    widgetErrorText: 'Il modulo di pagamento non si è caricato. Ricarichi la pagina.',
    notReady: 'Pagamento non ancora pronto',
    notReadyText: 'Attenda il caricamento del modulo di pagamento.',
    incomplete: 'Compili tutti i campi obbligatori',
    incompleteText: 'Inserisca tutti i dati richiesti prima di pagare.',
    submissionFailed: 'Invio del pagamento non riuscito',
    submissionFailedText: 'Riprovi o ricarichi la pagina.',
    orderFailed: 'Ordine non riuscito',
    orderFailedText: 'Non è stato possibile creare l’ordine. Riprovi.',
    paymentFailed: 'Pagamento non riuscito',
    paymentFailedText: 'Controlli i dati della carta e riprovi.',
    expiredText:
      'Il modulo di pagamento era scaduto e non è stato addebitato nulla. La preghiamo di riprovare.',
    expiredUnknownText: 'Il modulo di pagamento era scaduto. La preghiamo di riprovare.',
  },
  panels: {
    atBank: {
      title: 'La Sua banca sta verificando il pagamento',
      confirm:
        'Lo confermi presso la banca, ad esempio nella sua app. Non occorre pagare di nuovo: appena la banca lo autorizza, l’ordine verrà registrato automaticamente.',
      goesOn: 'Questa pagina si aggiornerà appena la banca avrà risposto.',
      button: 'Non ho completato la conferma',
      stillThere:
        'Il pagamento è ancora presso la Sua banca, quindi non possiamo ancora aprire un nuovo modulo. Lo completi lì o attenda un poco: questa pagina si aggiorna da sola.',
      unavailable: 'Al momento non ha funzionato. Riprovi tra poco.',
    },
    confirming: {
      title: 'Elaborazione…',
      text: 'Attendiamo la conferma del Suo pagamento. Tenga aperta questa pagina ancora un momento.',
    },
    delayed: {
      title: 'Il Suo pagamento è in fase di conferma',
      text: 'Ci vuole più tempo del solito. La preghiamo di non pagare di nuovo: se la carta è stata addebitata, l’ordine verrà registrato automaticamente.',
      close:
        'Può lasciare aperta questa pagina: si aggiorna da sola. Può anche chiuderla: riaperta in questo browser, porta al Suo ordine non appena ce n’è uno.',
    },
    orderRefused: {
      title: 'Non è stato possibile creare il Suo ordine',
      text: 'I dati della carta sono stati inviati e la carta non verrà addebitata una seconda volta. Riprovi a creare l’ordine.',
    },
    notFound: {
      title: 'Da qui non possiamo seguire questo pagamento',
      why: 'I cookie sono stati cancellati, il pagamento è stato avviato in un altro browser oppure il negozio non ne ha traccia.',
      before:
        'Prima di pagare di nuovo, controlli se la carta è stata addebitata. Se lo è stata e non ha la conferma di un ordine, scriva al negozio.',
      sure: 'Se ha la certezza di non aver pagato, può ricominciare.',
      button: 'Ricomincia',
    },
    tooManyCards: {
      title: 'Ora non è possibile pagare con carta',
      text: 'Una carta rifiutata non viene addebitata. I dati inseriti qui restano: ricarichi la pagina più tardi e il modulo della carta tornerà.',
    },
    notSold: {
      title: 'Questo prodotto non è più in vendita',
      paused: 'Al momento non in vendita',
      soldOut: 'Esaurito',
      text: 'I dati della carta non sono stati inviati e non è stato addebitato nulla.',
      unknownText:
        'Questa volta i dati della carta non sono stati inviati. Se la Sua carta è stata addebitata nel tentativo precedente, il negozio viene informato automaticamente di quel pagamento.',
    },
    review: {
      paid: 'Abbiamo ricevuto il Suo pagamento',
      paidText:
        'Il Suo pagamento è arrivato e il negozio lo esamina prima di procedere con l’ordine. Non occorre pagare di nuovo.',
      paidWithoutDetails:
        'Il Suo pagamento è arrivato, ma non l’indirizzo a cui inviare l’ordine. Scriva al negozio, in modo che si possa procedere. Non occorre pagare di nuovo.',
      uncertain: 'Il Suo pagamento è in fase di verifica',
      uncertainText:
        'Non è ancora certo se la carta sia stata addebitata, perciò il negozio sta verificando. Fino ad allora La preghiamo di non pagare di nuovo.',
      whoWrites:
        'Il negozio può scriverLe all’indirizzo e-mail che ha indicato. Se non ne ha ancora indicato uno, scriva al negozio.',
      returned: 'Il Suo pagamento è stato restituito',
      returnedText:
        'È stato restituito prima che venisse creato un ordine, quindi non viene spedito nulla. Se non se lo aspettava, scriva al negozio.',
      dismissed: 'Nessun ordine per questo pagamento',
      dismissedText:
        'Il negozio ha esaminato questo pagamento e non ha creato alcun ordine. Se ha una domanda, scriva al negozio.',
    },
  },
  refusals: {
    'product-missing': 'Prodotto non trovato',
    'page-outdated': 'Questo prodotto è appena stato modificato. Ricontrolli la pagina.',
    'product-paused': 'Il negozio ha sospeso la vendita di questo prodotto. Torni più tardi.',
    'sold-out': 'Tutti i pezzi sono venduti o in corso di pagamento da parte di altri.',
    'choice-missing': 'Scelga una delle possibilità.',
    'choice-gone': 'La Sua scelta è stata modificata o non è più disponibile. Scelga di nuovo.',
    'value-sold-out':
      'La Sua scelta è venduta o in corso di pagamento da parte di altri. Scelga di nuovo.',
    'note-needed': 'Questo prodotto richiede un Suo testo. Controlli di nuovo la pagina.',
    'not-delivered': 'Il negozio non offre questo Paese o questo luogo di ritiro. Scelga di nuovo.',
    'price-changed': 'Il prezzo è cambiato. Lo controlli di nuovo.',
    'price-without-cents':
      'Questo prodotto non può essere pagato, perché la sua valuta non ha centesimi. Lo segnali al negozio.',
    'price-not-payable':
      'Questo prodotto non può essere pagato con carta a questo prezzo e in questa valuta. Lo segnali al negozio.',
    'mode-changed':
      'Questo negozio ha appena cambiato modalità di pagamento. Controlli di nuovo la pagina.',
    'payments-away': 'Al momento non è possibile pagare con carta. Riprovi tra poco.',
    'too-many-checkouts':
      'Da qui sono stati avviati troppi pagamenti. Attenda qualche minuto e riprovi.',
    'too-many-holds':
      'Da qui sono stati avviati più pagamenti per questo articolo senza concluderli. Riprovi tra un’ora o contatti il negozio.',
    'too-many-cards':
      'Troppe carte sono state rifiutate. Attenda un po’ di tempo o contatti il negozio.',
    'too-many-requests': 'Troppe richieste. Attenda un momento e riprovi.',
    'request-timeout': 'La richiesta non è arrivata in tempo. Riprovi.',
    unexpected: 'Si è verificato un problema da parte nostra. Riprovi.',
    unavailable: 'Al momento il negozio non è disponibile. Riprovi tra poco.',
  },
}

export const methods: MethodTexts = {
  otherWays: 'Altri metodi di pagamento',
  backToCard: 'Torna alla carta',
  obliges: 'Pagando Lei effettua un ordine con obbligo di pagare.',
  replaced:
    'I contatti o la consegna sono stati modificati in un’altra scheda. Li controlli di nuovo.',
  noPayment: 'Non è arrivato alcun pagamento. Riprovi oppure paghi in un altro modo.',
  instead: {
    payment: {
      provider:
        'Il Suo pagamento va direttamente a SumUp, il nostro fornitore di servizi di pagamento. Questo negozio non vede mai i dati della carta o del conto.',
      bankPage: 'Il pagamento qui non prosegue?',
      leaveBankPage: 'Chiudere e attendere il pagamento',
    },
    connection: {
      unsent: 'Per il pagamento non è ancora stato inviato nulla. Questa pagina riprova da sola.',
      noPayment: 'La connessione si è interrotta e non è arrivato alcun pagamento. Riprovi.',
    },
    toasts: {
      paymentFailedText: 'Riprovi oppure scelga un altro metodo di pagamento.',
    },
    refusals: {
      'price-not-payable':
        'Questo prodotto non può essere pagato a questo prezzo e in questa valuta. Lo segnali al negozio.',
      'payments-away': 'Al momento non è possibile pagare. Riprovi tra poco.',
      'too-many-cards':
        'Troppi pagamenti sono stati rifiutati o interrotti. Attenda un po’ di tempo o contatti il negozio.',
    },
    panels: {
      tooManyCards: {
        title: 'Ora non è possibile pagare',
        text: 'Un pagamento rifiutato non viene addebitato. I dati inseriti qui restano: ricarichi la pagina più tardi e il modulo di pagamento tornerà.',
      },
      atBank: {
        title: 'Il Suo pagamento non è ancora confermato',
        confirm:
          'Lo completi dove sta pagando, ad esempio nell’app della Sua banca. Non occorre pagare di nuovo: appena è confermato, l’ordine verrà registrato automaticamente.',
        goesOn: 'Questa pagina si aggiornerà appena il pagamento sarà confermato.',
        button: 'Non ho completato il pagamento',
        stillThere:
          'Questo pagamento è ancora in corso, quindi non possiamo ancora aprire un nuovo modulo. Lo completi o attenda un poco: questa pagina si aggiorna da sola.',
      },
      delayed: {
        text: 'Ci vuole più tempo del solito. La preghiamo di non pagare di nuovo: se l’importo è stato addebitato, l’ordine verrà registrato automaticamente.',
      },
      orderRefused: {
        text: 'Il pagamento è stato inviato e non Le verrà addebitato una seconda volta. Riprovi a creare l’ordine.',
      },
      notFound: {
        before:
          'Prima di pagare di nuovo, controlli se l’importo è stato addebitato. Se lo è stato e non ha la conferma di un ordine, scriva al negozio.',
      },
      notSold: {
        text: 'Il pagamento non è stato inviato e non è stato addebitato nulla.',
        unknownText:
          'Questa volta il pagamento non è stato inviato. Se l’importo è stato addebitato nel tentativo precedente, il negozio viene informato automaticamente di quel pagamento.',
      },
      review: {
        uncertainText:
          'Non è ancora certo se l’importo sia stato addebitato, perciò il negozio sta verificando. Fino ad allora La preghiamo di non pagare di nuovo.',
      },
    },
  },
}

export const prices: PriceTexts = {
  discount: 'Sconto ({code})',
  pickup: 'Ritiro',
  plusShipping: '{amount} + spedizione',
  countryFirst: 'Scelga un Paese qui sopra per vedere i costi di spedizione. Poi potrà pagare qui.',
  announced: 'Spedizione: {shipping}. Totale: {total}.',
  refusals: {
    'country-needed': 'I costi di spedizione dipendono dal Paese. Ne scelga uno.',
    'terms-changed': 'Questo prezzo valeva per un’altra consegna. Lo controlli di nuovo.',
    'code-unknown': 'Il codice sconto non è più valido. Controlli il prezzo senza sconto.',
    'code-used-up': 'Il codice sconto è stato esaurito da altri. Controlli il prezzo senza sconto.',
  },
}

export const pages: PageTexts = {
  titles: {
    checkout: '{product} · Cassa',
    paused: '{product} · In pausa',
    soldOut: '{product} · Esaurito',
    thankYou: 'Grazie! · {shop}',
  },
  language: 'Lingua',
  checkout: {
    title: 'Cassa',
    testMode: 'Modalità di prova',
    needsScript: 'Per pagare qui serve JavaScript. Lo attivi e ricarichi questa pagina.',
    summary: 'Riepilogo ordine',
    showSummary: 'Mostra riepilogo ordine',
    hideSummary: 'Nascondi riepilogo ordine',
    quantity: 'Quantità: {count}',
    fewLeft: 'Solo {count} in magazzino',
    subtotal: 'Subtotale',
    shipping: 'Spedizione',
    free: 'Gratis',
    total: 'Totale',
    codeNotValid:
      'Il codice sconto del link non è valido per questo acquisto. Il prezzo è indicato senza sconto.',
  },
  recent: {
    label: 'Il Suo ultimo ordine',
    justNow: 'Ha appena acquistato questo prodotto.',
    oneMinute: 'Ha acquistato questo prodotto 1 minuto fa.',
    minutes: 'Ha acquistato questo prodotto {minutes} minuti fa.',
    isTest: 'Era un ordine di prova: non è stato addebitato nulla.',
    isPaid: 'È pagato, non occorre pagare di nuovo.',
    see: 'Vedi l’ordine',
  },
  footer: {
    newTab: '(si apre in una nuova scheda)',
    close: 'Chiudi',
    thisShop: 'questo negozio',
    atStart: 'Questo negozio',
    writeTo: 'Scriva a {email}.',
    reach: 'Può contattare {shop} tramite il sito o il messaggio in cui ha trovato il link.',
    refund: 'Rimborsi',
    refundTexts: [
      'Se qualcosa non va con il Suo ordine, contatti {shop}. {contact}',
      'Indichi il numero d’ordine: si trova nella pagina dopo l’acquisto e in ogni e-mail sull’ordine. {refunds} I Suoi diritti di legge restano invariati.',
    ],
    refundsToCard: 'I rimborsi tornano sulla carta utilizzata.',
    refundsOtherwise: 'I rimborsi tornano con il metodo di pagamento utilizzato.',
    shipping: 'Spedizioni',
    shippingTexts: [
      '{theShop} invia il Suo ordine con spedizione standard all’indirizzo inserito qui. La spedizione è gratuita.',
      'Domande sulla consegna? {contact}',
    ],
    pricedShippingTexts: [
      '{theShop} invia il Suo ordine con spedizione standard all’indirizzo inserito qui. Il costo della spedizione è indicato prima del pagamento.',
      'Domande sulla consegna? {contact}',
    ],
    pickupText: 'Può ritirare il Suo ordine qui: {place}',
    privacy: 'Informativa privacy',
    privacyTexts: [
      '{theShop} usa i dati inseriti qui per elaborare il Suo ordine, consegnarlo e scriverLe in merito. Le novità vengono inviate solo su richiesta.',
      'I dati della carta vanno direttamente a SumUp, il fornitore di servizi di pagamento. Il negozio non li vede e non li conserva. Se sceglie di salvare i Suoi dati, restano su questo dispositivo.',
      'Per consultare, correggere o cancellare i dati conservati su di Lei: {contact}',
    ],
    terms: 'Condizioni di vendita',
    termsTexts: [
      'Con il pagamento Lei ordina da {shop} il prodotto mostrato qui al totale mostrato qui. Il contratto è concluso quando il pagamento è confermato{mailed}.',
      'Domande? {contact}',
    ],
    termsMailed: '; riceverà un’e-mail che lo comunica',
    contact: 'Contatti',
    contactTexts: ['Il venditore è {shop}. Qui non è indicato alcun indirizzo e-mail. {contact}'],
    imprint: 'Note legali',
    vatNumber: 'Partita IVA: {number}',
  },
  missing: {
    'Product not found': 'Prodotto non trovato',
    'Order not found': 'Ordine non trovato',
    'Page Not Found': 'Pagina non trovata',
    productReason:
      'Questo prodotto non è più in vendita, oppure il link è incompleto. Ne chieda uno nuovo al negozio che lo ha inviato.',
    orderReason: 'A questo indirizzo non c’è alcun ordine. Controlli che il link sia completo.',
    lostOrderReason:
      'Il negozio è stato ripristinato da una copia di sicurezza e forse non conosce ancora gli ultimi ordini. Se ha pagato, non occorre pagare di nuovo: scriva al negozio, affinché possa cercare il Suo ordine.',
    pageReason:
      'A questo indirizzo non c’è nulla. Controlli che il link sia completo, o ne chieda uno nuovo al negozio che lo ha inviato.',
  },
  paused: {
    title: 'Al momento non in vendita',
    text: 'Il negozio ha sospeso la vendita di {product}. Torni più tardi. Se ha appena pagato, il Suo ordine prosegue normalmente.',
  },
  soldOut: {
    title: 'Esaurito',
    text: 'Tutti i pezzi di {product} sono venduti o in corso di pagamento da parte di altri. Se ha appena pagato, il Suo ordine prosegue normalmente.',
  },
  problem: 'Questa pagina al momento non è disponibile',
  thankYou: {
    yourOrder: 'Il Suo ordine',
    title: 'Grazie!',
    confirmed: 'Il Suo ordine è stato confermato',
    mailSent: 'Un’e-mail di conferma è in arrivo all’indirizzo {email}',
    mailOfTest: 'Trattandosi di una prova, non viene inviata alcuna e-mail di conferma a {email}',
    noMails:
      'Questo negozio non invia e-mail. La preghiamo di conservare l’indirizzo di questa pagina.',
    testOrder: 'Ordine di prova:',
    testNote: 'non è stato addebitato nulla, non verrà consegnato nulla.',
    orderNumber: 'Numero d’ordine',
    copyOrderNumber: 'Copia numero d’ordine',
    status: 'Stato',
    date: 'Data',
    parcel: 'Pacco',
    copyTracking: 'Copia codice di tracciamento',
    track: 'Segui il pacco',
    shippingAddress: 'Indirizzo di spedizione',
    pickupAt: 'Ritiro presso',
    pickupHours: 'Orari di apertura',
    billingAddress: 'Indirizzo di fatturazione',
    paymentMethod: 'Metodo di pagamento',
    card: 'Carta',
    preparing: 'In preparazione',
    onItsWay: 'In viaggio',
    readyForPickup: 'Pronto per il ritiro',
    completed: 'Completato',
    vat: 'IVA {rate}% inclusa',
    sellersVatNumber: 'Partita IVA {number}',
    print: 'Stampa',
    changedYourMind: 'Ha cambiato idea?',
    next: 'E adesso?',
    done: '(fatto)',
    steps: {
      paid: 'Il negozio ha ricevuto il Suo ordine e il Suo pagamento',
      unpaid: 'Il negozio ha ricevuto il Suo ordine',
      packed: 'Il Suo ordine viene preparato e imballato',
      sent: 'Il Suo pacco è in viaggio con spedizione standard',
      pickup: 'Può ritirare il Suo ordine',
    },
    testSteps: {
      paid: 'Il negozio ha il Suo ordine di prova e nessun pagamento',
      packed: 'Un ordine vero verrebbe ora preparato e imballato',
      sent: 'Un pacco vero sarebbe poi in viaggio con spedizione standard',
      pickup: 'Un ordine vero potrebbe poi essere ritirato',
    },
  },
  returned: {
    titles: {
      refund: 'Il Suo ordine è stato rimborsato',
      chargeback: 'Il Suo pagamento è stato stornato dalla banca',
      both: 'Il Suo pagamento è stato rimborsato e stornato',
    },
    labels: {
      refund: 'Rimborsato',
      chargeback: 'Stornato',
      both: 'Rimborsato e stornato',
    },
    refunded:
      'Sulla Sua carta è stato rimborsato l’importo di {amount}. Possono passare alcuni giorni prima che l’estratto conto della carta lo mostri.',
    chargedBack: 'La Sua banca ha ripreso {amount} dal negozio.',
    refundedOtherwise:
      'È stato rimborsato l’importo di {amount} con il metodo di pagamento utilizzato. Possono passare alcuni giorni prima che lo veda lì.',
    chargedBackOtherwise:
      'La Sua banca o il Suo servizio di pagamento ha ripreso {amount} dal negozio.',
  },
  withdrawal: {
    here: 'Recedere dal contratto qui',
    confirm: 'Conferma recesso',
    policy: 'Diritto di recesso',
    received: 'Il Suo recesso è stato ricevuto',
    which: 'Ci dica da quale acquisto recede. Non occorre indicare un motivo.',
    name: 'Nome e cognome',
    orderNumber: 'Numero d’ordine',
    orderNumberHint: 'Si trova nella pagina dopo l’acquisto e in ogni e-mail che lo riguarda.',
    email: 'E-mail',
    emailHint: 'Quella usata per l’acquisto.',
    continue: 'Continua',
    change: 'Modifica i dati',
    aboutToState: 'Sta per dichiarare:',
    statement:
      'Con la presente recedo dal mio contratto di vendita relativo all’ordine {orderNumber}.',
    receivedText:
      'Abbiamo ricevuto il Suo recesso in data {receivedAt}. Ne confermiamo la ricezione via e-mail a {email}, con contenuto, data e ora, salvo che nell’ultima ora siano state inviate troppe di queste e-mail.',
    receivedTestText:
      'Abbiamo ricevuto il Suo recesso in data {receivedAt}. Ne confermiamo la ricezione via e-mail a {email} solo se numero e indirizzo corrispondono a un ordine che non era di prova, e salvo che nell’ultima ora siano state inviate troppe di queste e-mail.',
    receivedUnmailedText:
      'Abbiamo ricevuto il Suo recesso in data {receivedAt}. Questo negozio non invia e-mail: La preghiamo di conservare una copia di questa pagina.',
  },
}

export const withdrawal: WithdrawalTexts = {
  theShop: 'il negozio',
  confirmed: ' Le confermeremo senza indugio via e-mail di aver ricevuto il Suo recesso.',
  instructions: [
    'Lei ha il diritto di recedere dal contratto, senza indicarne le ragioni, entro 14 giorni. Il periodo di recesso scade dopo 14 giorni dal giorno in cui Lei o un terzo, diverso dal vettore e da Lei designato, acquisisce il possesso fisico dei beni.',
    'Per esercitare il diritto di recesso, Lei è tenuto a informarci ({seller}) della Sua decisione di recedere dal presente contratto tramite una dichiarazione esplicita (ad esempio lettera inviata per posta o posta elettronica). A tal fine può utilizzare il modulo tipo di recesso qui sotto, ma non è obbligatorio.',
    'Può esercitare il diritto di recesso anche online: scelga «{here}» in fondo alla pagina in cui ha acquistato o nella pagina del Suo ordine.{confirmed}',
    'Per rispettare il termine di recesso, è sufficiente che Lei invii la comunicazione relativa all’esercizio del diritto di recesso prima della scadenza del periodo di recesso.',
    'Se Lei recede dal presente contratto, Le saranno rimborsati tutti i pagamenti che ha effettuato a nostro favore, compresi i costi di consegna standard, senza indebito ritardo e in ogni caso non oltre 14 giorni dal giorno in cui siamo informati della Sua decisione di recedere dal presente contratto. Detti rimborsi saranno effettuati utilizzando lo stesso mezzo di pagamento da Lei usato per la transazione iniziale, salvo che Lei non abbia espressamente convenuto altrimenti; in ogni caso, non dovrà sostenere alcun costo quale conseguenza di tale rimborso. Il rimborso può essere sospeso fino al ricevimento dei beni oppure fino all’avvenuta dimostrazione da parte Sua di aver rispedito i beni, se precedente.',
    'È pregato di rispedire i beni o di consegnarli a noi, senza indebiti ritardi e in ogni caso entro 14 giorni dal giorno in cui ci ha comunicato il Suo recesso dal presente contratto. Il termine è rispettato se Lei rispedisce i beni prima della scadenza del periodo di 14 giorni. I costi diretti della restituzione dei beni saranno a Suo carico. Lei è responsabile solo della diminuzione del valore dei beni risultante da una manipolazione del bene diversa da quella necessaria per stabilire la natura, le caratteristiche e il funzionamento dei beni.',
    'Il diritto di recesso è escluso per i beni confezionati su misura o chiaramente personalizzati e per i beni che rischiano di deteriorarsi o scadere rapidamente.',
  ],
  form: [
    'Modulo di recesso tipo',
    '(Compilare e restituire il presente modulo solo se si desidera recedere dal contratto.)',
    'Destinatario: {seller}',
    'Con la presente io/noi (*) notifico/notifichiamo (*) il recesso dal mio/nostro (*) contratto di vendita dei seguenti beni:',
    'Ordinato il (*) / ricevuto il (*):',
    'Nome del/dei consumatore(i):',
    'Indirizzo del/dei consumatore(i):',
    'Firma del/dei consumatore(i) (solo se il presente modulo è notificato in versione cartacea):',
    'Data:',
    '(*) Cancellare la dicitura inutile.',
  ],
}
