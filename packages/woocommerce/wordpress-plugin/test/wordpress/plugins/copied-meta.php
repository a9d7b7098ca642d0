<?php
/**
 * Plugin Name: Subscriptions
 * Description: Stands for a plugin that makes renewal orders with all meta of their parent, payment and date of payment included.
 */

function subscriptions_renew( int $parent, int $renewal ): WC_Order {
	$row = Shop_State::read()['orders'][ $parent ];
	return fake_place_order(
		array(
			'id'     => $renewal,
			'status' => 'pending',
			'meta'   => $row['meta'],
		) + array_intersect_key( $row, array_flip( array( 'total', 'currency', 'date_paid', 'transaction' ) ) )
	);
}
