<?php
/** The texts of the thank-you page and of the page where an order is paid, for each status of the payment. */

defined( 'ABSPATH' ) || exit;

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
		'unknown'        => __( 'We are waiting for the confirmation of your payment.', 'tillkit-checkout' ),
		'waiting'        => __( 'We are waiting for the confirmation of your payment.', 'tillkit-checkout' ),
		'pending'        => __( 'We are waiting for the confirmation of your payment.', 'tillkit-checkout' ),
		'paid'           => __( 'Your payment has arrived. Thank you!', 'tillkit-checkout' ),
		'paid_otherwise' => __( 'The shop has marked your order as paid. Thank you!', 'tillkit-checkout' ),
		'held'           => __( 'Your payment has arrived. The shop is checking your order and will get back to you.', 'tillkit-checkout' ),
		'declined'       => __( 'Your payment did not go through, and nothing was charged. You can try again.', 'tillkit-checkout' ),
		'not_completed'  => __( 'This payment was not completed, and nothing was charged.', 'tillkit-checkout' ),
		'refunding'      => __( 'Your payment is being refunded.', 'tillkit-checkout' ),
		'refunded'       => __( 'Your payment was refunded.', 'tillkit-checkout' ),
	);
	return $texts[ $status ];
}

/** The notice on the page where the order is paid, to which the shopper comes after a cancelled or expired payment. */
function tillkit_pay_page_text( string $status ): string {
	$texts = array(
		'unknown'       => __( 'We are checking whether your payment has arrived. Please wait a moment.', 'tillkit-checkout' ),
		'waiting'       => __( 'Nothing has been charged so far. You can pay your order here.', 'tillkit-checkout' ),
		'pending'       => __( 'A payment of this order is on its way. If you have confirmed it, wait a moment before you pay again.', 'tillkit-checkout' ),
		'paid'          => __( 'Your payment has arrived. Thank you! Do not pay again.', 'tillkit-checkout' ),
		'held'          => __( 'Your payment has arrived, and the shop is looking at it. Do not pay again.', 'tillkit-checkout' ),
		'not_completed' => __( 'This payment was not completed, and nothing was charged. You can pay your order here.', 'tillkit-checkout' ),
	);
	return $texts[ $status ] ?? tillkit_shopper_status_text( $status );
}

/** The heading of the thank-you page, which agrees with its notice. */
function tillkit_thank_you_title( string $status ): string {
	$titles = array(
		'unknown'       => __( 'Waiting for your payment', 'tillkit-checkout' ),
		'waiting'       => __( 'Waiting for your payment', 'tillkit-checkout' ),
		'pending'       => __( 'Waiting for your payment', 'tillkit-checkout' ),
		'held'          => __( 'Your payment is being checked', 'tillkit-checkout' ),
		'declined'      => __( 'Not paid yet', 'tillkit-checkout' ),
		'not_completed' => __( 'Not paid yet', 'tillkit-checkout' ),
		'refunding'     => __( 'Your payment is being refunded', 'tillkit-checkout' ),
		'refunded'      => __( 'Your payment was refunded', 'tillkit-checkout' ),
	);
	return $titles[ $status ] ?? __( 'Order received', 'tillkit-checkout' );
}

/** The sentence in place of WooCommerce's own "Thank you. Your order has been received." */
function tillkit_thank_you_received_text( string $status ): string {
	if ( in_array( $status, array( 'unknown', 'waiting', 'pending', 'declined', 'not_completed' ), true ) ) {
		return __( 'We have your order. It is confirmed as soon as it is paid.', 'tillkit-checkout' );
	}
	if ( in_array( $status, array( 'refunding', 'refunded' ), true ) ) {
		return __( 'The money goes back to where it came from.', 'tillkit-checkout' );
	}
	return 'held' === $status
		? __( 'We have your order and your payment.', 'tillkit-checkout' )
		: __( 'Thank you. Your order has been received.', 'tillkit-checkout' );
}
