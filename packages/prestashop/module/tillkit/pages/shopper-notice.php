<?php
/** What a shopper sees of the payment, on the pages of the shop and on our own. */

defined( '_PS_VERSION_' ) || exit;

/** The notice of an order of the shop; empty for an order that our module did not make. @param string $place thankyou or pay */
function tillkit_notice_of_page( int $order_id, string $place ): string {
	$order = tillkit_order_of_shop_order( $order_id );
	return null === $order || 'tillkit' !== $order->module_name() ? '' : tillkit_order_notice_html( $order, $place );
}

function tillkit_order_notice_html( Tillkit_Prestashop_Order $order, string $place ): string {
	$names   = array( 'order' => $order->id(), 'key' => $order->key() );
	$of_paid = tillkit_shopper_status_of_order( $order );
	$known   = tillkit_known_shopper_status( $order );
	// The last known status could say that nothing was charged although a payment has arrived since.
	$begin   = 'pay' === $place ? 'unknown' : ( '' === $known ? 'waiting' : $known );
	$links   = array( 'pay' => tillkit_page_url( 'pay', $names ), 'again' => tillkit_page_url( 'return', $names ) );
	$html    = '<link rel="stylesheet" href="' . tillkit_bridge_file( 'shopper/notice.css' ) . '">'
		. tillkit_status_notice_html( $of_paid ?? $begin, $place, $links, null === $of_paid ? $names + array( 'url' => tillkit_page_url( 'status' ), 'failed' => 'yes' ) : null );
	if ( null !== $of_paid ) {
		return $html;
	}
	// The script hides what has this id while a payment is on the way that has arrived.
	$can_pay = 'pay' === $place && tillkit_is_payable( $order );
	return $html . ( $can_pay ? '<p id="order_review"><a class="btn btn-primary" href="' . tillkit_html( $links['pay'] ) . '">' . tillkit_html( tillkit_text( 'Pay this order' ) ) . '</a></p>' : '' )
		. '<script src="' . tillkit_bridge_file( 'shopper/wait.js' ) . '" defer></script>';
}

/** The status of a paid order; null while it is unpaid. */
function tillkit_shopper_status_of_order( Tillkit_Prestashop_Order $order ): ?string {
	// A payment that was claimed and not recorded to its end is on its way.
	return tillkit_has_been_paid( $order ) ? tillkit_shopper_status_of_paid( $order, tillkit_paid_by( $order ) ) : null;
}

/** Answers shopper/wait.js. The key of the order gives access to its status and to nothing else. */
function tillkit_answer_status( string $bytes ): array {
	$body  = strlen( $bytes ) > TILLKIT_MAX_BODY_BYTES ? null : json_decode( $bytes, true );
	$order = is_array( $body ) ? tillkit_order_of_link( tillkit_text_field( $body, 'order' ), tillkit_text_field( $body, 'key' ) ) : null;
	if ( null === $order ) {
		return tillkit_response( new Tillkit_Error( 'tillkit_order_not_known', tillkit_text( 'This order does not exist.' ), 404 ) );
	}
	$status = tillkit_shopper_status_of_order( $order ) ?? tillkit_shopper_status_from_checkout_server( $order );
	return tillkit_response( tillkit_shopper_answer( $status, 'pay' === ( $body['place'] ?? '' ) ? 'pay' : 'thankyou' ) );
}
