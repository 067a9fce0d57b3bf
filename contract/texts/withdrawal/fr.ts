import type { WithdrawalTexts } from './en.ts'

export const fr: WithdrawalTexts = {
  theShop: 'la boutique',
  confirmed:
    ' Nous vous confirmons alors sans délai par e-mail que nous avons reçu votre rétractation.',
  instructions: [
    'Vous avez le droit de vous rétracter du présent contrat sans donner de motif dans un délai de quatorze jours. Le délai de rétractation expire quatorze jours après le jour où vous-même, ou un tiers autre que le transporteur et désigné par vous, prend physiquement possession du bien.',
    'Pour exercer le droit de rétractation, vous devez nous notifier ({seller}) votre décision de rétractation du présent contrat au moyen d’une déclaration dénuée d’ambiguïté (par exemple, lettre envoyée par la poste ou courrier électronique). Vous pouvez utiliser le modèle de formulaire de rétractation ci-dessous, mais ce n’est pas obligatoire.',
    'Vous pouvez aussi exercer votre droit de rétractation en ligne\u00a0: choisissez «\u00a0{here}\u00a0» au bas de la page où vous avez acheté, ou sur la page de votre commande.{confirmed}',
    'Pour que le délai de rétractation soit respecté, il suffit que vous transmettiez votre communication relative à l’exercice du droit de rétractation avant l’expiration du délai de rétractation.',
    'En cas de rétractation de votre part du présent contrat, nous vous rembourserons tous les paiements reçus de vous, y compris les frais de livraison standard, sans retard excessif et, en tout état de cause, au plus tard quatorze jours à compter du jour où nous sommes informés de votre décision de rétractation du présent contrat. Nous procéderons au remboursement en utilisant le même moyen de paiement que celui que vous aurez utilisé pour la transaction initiale, sauf si vous convenez expressément d’un moyen différent\u00a0; en tout état de cause, ce remboursement n’occasionnera pas de frais pour vous. Nous pouvons différer le remboursement jusqu’à ce que nous ayons reçu le bien ou jusqu’à ce que vous ayez fourni une preuve d’expédition du bien, la date retenue étant celle du premier de ces faits.',
    'Vous devrez renvoyer ou rendre le bien à nous-mêmes sans retard excessif et, en tout état de cause, au plus tard quatorze jours après que vous nous aurez communiqué votre décision de rétractation du présent contrat. Ce délai est réputé respecté si vous renvoyez le bien avant l’expiration du délai de quatorze jours. Vous devrez prendre en charge les frais directs de renvoi du bien. Votre responsabilité n’est engagée qu’à l’égard de la dépréciation du bien résultant de manipulations autres que celles nécessaires pour établir la nature, les caractéristiques et le bon fonctionnement de ce bien.',
    'Le droit de rétractation ne s’applique pas aux biens confectionnés selon vos spécifications ou nettement personnalisés, ni aux biens susceptibles de se détériorer ou de se périmer rapidement.',
  ],
  form: [
    'Modèle de formulaire de rétractation',
    '(Veuillez compléter et renvoyer le présent formulaire uniquement si vous souhaitez vous rétracter du contrat.)',
    'À l’attention de\u00a0: {seller}',
    'Je/Nous (*) vous notifie/notifions (*) par la présente ma/notre (*) rétractation du contrat portant sur la vente du bien ci-dessous\u00a0:',
    'Commandé le (*) / reçu le (*)\u00a0:',
    'Nom du (des) consommateur(s)\u00a0:',
    'Adresse du (des) consommateur(s)\u00a0:',
    'Signature du (des) consommateur(s) (uniquement en cas de notification du présent formulaire sur papier)\u00a0:',
    'Date\u00a0:',
    '(*) Rayez la mention inutile.',
  ],
}
