import type { CheckoutTexts } from './en.ts'

export const it: CheckoutTexts = {
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
