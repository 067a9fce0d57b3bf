import type { MethodTexts } from './en.ts'

export const it: MethodTexts = {
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
