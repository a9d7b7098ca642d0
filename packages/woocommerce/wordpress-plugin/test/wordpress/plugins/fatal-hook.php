<?php
/**
 * Plugin Name: Loyalty points
 * Description: Stands for a plugin that fails in a hook of a paid order.
 */

add_action(
	'woocommerce_order_status_processing',
	static function (): void {
		throw new Error( 'The table of points is missing.' );
	},
	1
);
