<?php
/** Exports what the plugin and the checkout server store about a person. */

defined( 'ABSPATH' ) || exit;

/**
 * One step of WordPress's export.
 *
 * @return array{data:array<int,array>,done:bool}|WP_Error An error stops the export, so that no incomplete file is sent.
 */
function tillkit_export_personal_data( string $email, $page = 1 ) {
	$step = tillkit_orders_of_person( $email, (int) $page );
	$data = array();
	foreach ( $step['orders'] as $order ) {
		$answer = tillkit_call_about_order( 'export', $order );
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		$data[] = array(
			'group_id'    => 'tillkit-payments',
			'group_label' => __( 'Payments with Tillkit', 'tillkit-checkout' ),
			'item_id'     => 'tillkit-order-' . $order->get_id(),
			'data'        => tillkit_exported_rows( $order, $answer ),
		);
	}
	return array(
		'data' => $data,
		'done' => $step['done'],
	);
}

/** @return array<int,array{name:string,value:string}> */
function tillkit_exported_rows( WC_Order $order, array $answer ): array {
	$rows = array( tillkit_exported_row( __( 'Order', 'tillkit-checkout' ), (string) $order->get_order_number() ) );
	$kinds = array(
		'payments'     => __( 'Payment', 'tillkit-checkout' ),
		'transactions' => __( 'Transaction', 'tillkit-checkout' ),
		'refunds'      => __( 'Refund', 'tillkit-checkout' ),
		'disputes'     => __( 'Dispute', 'tillkit-checkout' ),
		'messages'     => __( 'Message of the payment service', 'tillkit-checkout' ),
	);
	foreach ( $kinds as $kind => $name ) {
		foreach ( (array) ( $answer[ $kind ] ?? array() ) as $text ) {
			$rows[] = tillkit_exported_row( $name, is_string( $text ) ? $text : '' );
		}
	}
	return $rows;
}

/** WordPress prints the value as HTML. */
function tillkit_exported_row( string $name, string $value ): array {
	return array(
		'name'  => $name,
		'value' => esc_html( $value ),
	);
}
