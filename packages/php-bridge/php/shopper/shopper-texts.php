<?php
/** The texts of the thank-you page and of the page where an order is paid, for each status of the payment. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * All texts of the shopper's pages for one status.
 *
 * @param string $place thankyou or pay
 * @return array{state:string,kind:string,text:string,title:string,received:string}
 */
function tillkit_shopper_answer( string $status, string $place ): array {
	return array(
		'state'    => $status,
		'kind'     => tillkit_notice_kind( $status ),
		'text'     => 'pay' === $place ? tillkit_pay_page_text( $status ) : tillkit_shopper_status_text( $status ),
		'title'    => tillkit_thank_you_title( $status ),
		'received' => tillkit_thank_you_received_text( $status ),
	);
}

function tillkit_notice_kind( string $status ): string {
	$kinds = array(
		'paid'           => 'success',
		'paid_otherwise' => 'success',
		'declined'       => 'warning',
		'not_completed'  => 'warning',
	);
	return $kinds[ $status ] ?? 'info';
}

/** The notice on the thank-you page. */
function tillkit_shopper_status_text( string $status ): string {
	$texts = array(
		'unknown'        => tillkit_text( 'We are waiting for the confirmation of your payment.' ),
		'waiting'        => tillkit_text( 'We are waiting for the confirmation of your payment.' ),
		'pending'        => tillkit_text( 'We are waiting for the confirmation of your payment.' ),
		'paid'           => tillkit_text( 'Your payment has arrived. Thank you!' ),
		'paid_otherwise' => tillkit_text( 'The shop has marked your order as paid. Thank you!' ),
		'held'           => tillkit_text( 'Your payment has arrived. The shop is checking your order and will get back to you.' ),
		'declined'       => tillkit_text( 'Your payment did not go through, and nothing was charged. You can try again.' ),
		'not_completed'  => tillkit_text( 'This payment was not completed, and nothing was charged.' ),
		'refunding'      => tillkit_text( 'Your payment is being refunded.' ),
		'refunded'       => tillkit_text( 'Your payment was refunded.' ),
	);
	return $texts[ $status ];
}

/** The notice on the page where the order is paid, to which the shopper comes after a cancelled or expired payment. */
function tillkit_pay_page_text( string $status ): string {
	$texts = array(
		'unknown'       => tillkit_text( 'We are checking whether your payment has arrived. Please wait a moment.' ),
		'waiting'       => tillkit_text( 'Nothing has been charged so far. You can pay your order here.' ),
		'pending'       => tillkit_text( 'A payment of this order is on its way. If you have confirmed it, wait a moment before you pay again.' ),
		'paid'          => tillkit_text( 'Your payment has arrived. Thank you! Do not pay again.' ),
		'held'          => tillkit_text( 'Your payment has arrived, and the shop is looking at it. Do not pay again.' ),
		'not_completed' => tillkit_text( 'This payment was not completed, and nothing was charged. You can pay your order here.' ),
	);
	return $texts[ $status ] ?? tillkit_shopper_status_text( $status );
}

/** The heading of the thank-you page, which agrees with its notice. */
function tillkit_thank_you_title( string $status ): string {
	$titles = array(
		'unknown'       => tillkit_text( 'Waiting for your payment' ),
		'waiting'       => tillkit_text( 'Waiting for your payment' ),
		'pending'       => tillkit_text( 'Waiting for your payment' ),
		'held'          => tillkit_text( 'Your payment is being checked' ),
		'declined'      => tillkit_text( 'Not paid yet' ),
		'not_completed' => tillkit_text( 'Not paid yet' ),
		'refunding'     => tillkit_text( 'Your payment is being refunded' ),
		'refunded'      => tillkit_text( 'Your payment was refunded' ),
	);
	return $titles[ $status ] ?? tillkit_text( 'Order received' );
}

/** The sentence in place of the shop's own thanks. */
function tillkit_thank_you_received_text( string $status ): string {
	if ( in_array( $status, array( 'unknown', 'waiting', 'pending', 'declined', 'not_completed' ), true ) ) {
		return tillkit_text( 'We have your order. It is confirmed as soon as it is paid.' );
	}
	if ( in_array( $status, array( 'refunding', 'refunded' ), true ) ) {
		return tillkit_text( 'The money goes back to where it came from.' );
	}
	return 'held' === $status
		? tillkit_text( 'We have your order and your payment.' )
		: tillkit_text( 'Thank you. Your order has been received.' );
}
