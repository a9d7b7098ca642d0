<?php
/** The payment status on the pages of the shopper. shopper/wait.js polls it while it can change. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * @param string                    $place thankyou or pay
 * @param array{pay:string,again:string} $links Where the shopper can pay again, and this page itself.
 * @param array<string,string>|null $poll  `url`, `order`, `key` and what else wait.js needs. Null: the status cannot change.
 */
function tillkit_status_notice_html( string $status, string $place, array $links, ?array $poll ): string {
	$answer = tillkit_shopper_answer( $status, $place );
	$html   = '<section class="tillkit-notice is-' . tillkit_html( $answer['kind'] ) . '" id="tillkit-wait"';
	if ( null !== $poll ) {
		$html .= tillkit_data_html(
			$poll + array(
				'place'        => $place,
				'title'        => $answer['title'],
				'received'     => $answer['received'],
				'timeout-text' => tillkit_text( 'This takes longer than usual. You will get an e-mail when the payment is confirmed. You can close this page.' ),
			)
		);
	}
	$html .= '><p role="status" aria-live="polite">' . tillkit_html( $answer['text'] ) . '</p>';
	if ( 'thankyou' === $place ) {
		$can_pay = in_array( $status, array( 'declined', 'not_completed' ), true );
		$html   .= '<p' . ( $can_pay ? '' : ' hidden' ) . '><a href="' . tillkit_link( $links['pay'] ) . '">' . tillkit_html( tillkit_text( 'Pay again' ) ) . '</a></p>';
		$html   .= null === $poll ? '' : '<noscript><p><a href="' . tillkit_link( $links['again'] ) . '">' . tillkit_html( tillkit_text( 'Check again' ) ) . '</a></p></noscript>';
	}
	return $html . '</section>';
}

/**
 * The status of an order that shows a payment; null while it is unpaid. `paid_otherwise`: it is paid, but not by a payment of ours. Nobody is told
 * that money has arrived which a lost dispute took back.
 */
function tillkit_shopper_status_of_paid( Tillkit_Order $order, ?string $paid_by ): ?string {
	if ( null === $paid_by ) {
		return null;
	}
	if ( $order->fact( 'lost_payment' ) === $paid_by ) {
		return 'refunded';
	}
	return in_array( $paid_by, array( 'outside', 'owner', 'unclear' ), true ) ? 'paid_otherwise' : 'paid';
}
