<?php
/** What the checkout server stores about the person of an order: shown to that person, or erased. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * Plain text, each with its name.
 *
 * @return array<int,array{name:string,value:string}>|Tillkit_Error
 */
function tillkit_export_order( Tillkit_Order $order ) {
	$answer = tillkit_call_about_order( 'export', $order );
	if ( $answer instanceof Tillkit_Error ) {
		return $answer;
	}
	$rows  = array(
		array(
			'name'  => tillkit_text( 'Order' ),
			'value' => $order->number(),
		),
	);
	$kinds = array(
		'payments'     => tillkit_text( 'Payment' ),
		'transactions' => tillkit_text( 'Transaction' ),
		'refunds'      => tillkit_text( 'Refund' ),
		'disputes'     => tillkit_text( 'Dispute' ),
		'messages'     => tillkit_text( 'Message of the payment service' ),
	);
	foreach ( $kinds as $kind => $name ) {
		foreach ( (array) ( $answer[ $kind ] ?? array() ) as $value ) {
			$rows[] = array(
				'name'  => $name,
				'value' => is_string( $value ) ? $value : '',
			);
		}
	}
	return $rows;
}

/** Null, or the reason why something was kept. */
function tillkit_erase_at_checkout_server( Tillkit_Order $order ): ?string {
	$answer = tillkit_call_about_order( 'erase', $order );
	if ( $answer instanceof Tillkit_Error ) {
		return $answer->message;
	}
	return 0 === ( $answer['unfinished'] ?? null )
		? null
		: tillkit_text( 'A payment is not final yet. Erase again four days after it was paid, refunded or has expired.' );
}
