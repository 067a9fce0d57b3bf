import type { WithdrawalTexts } from './en.ts'

export const it: WithdrawalTexts = {
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
