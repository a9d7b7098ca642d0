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
		$rows = tillkit_export_order( tillkit_order( $order ) );
		if ( $rows instanceof Tillkit_Error ) {
			return tillkit_wp_error( $rows );
		}
		$data[] = array(
			'group_id'    => 'tillkit-payments',
			'group_label' => __( 'Payments with Tillkit', 'tillkit-checkout' ),
			'item_id'     => 'tillkit-order-' . $order->get_id(),
			'data'        => array_map( 'tillkit_exported_row', $rows ),
		);
	}
	return array(
		'data' => $data,
		'done' => $step['done'],
	);
}

/** WordPress prints the value as HTML. */
function tillkit_exported_row( array $row ): array {
	return array(
		'name'  => $row['name'],
		'value' => esc_html( $row['value'] ),
	);
}
