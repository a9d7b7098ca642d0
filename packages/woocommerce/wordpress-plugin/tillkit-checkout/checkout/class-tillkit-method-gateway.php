<?php
/**
 * Mobile money or card as a payment method of its own at the checkout. It only names a method of the hosted page: its orders have the
 * payment method `tillkit` as all others, so they are marked paid, refunded and found by the same code.
 */

defined( 'ABSPATH' ) || exit;

final class Tillkit_Method_Gateway extends Tillkit_Gateway {

	/** @var string A key of tillkit_methods(). */
	private $method;

	public function __construct( string $method ) {
		parent::__construct();
		$this->method = $method;
		$name         = tillkit_methods()[ $method ];
		$this->title  = tillkit_with_test_mark( $name );
		// The settings stay those of `tillkit`: they are read before the id changes.
		$this->id          = tillkit_method_id( $method );
		$this->description = tillkit_method_description( (string) $this->get_option( 'description' ), $name );
	}

	public function is_available() {
		return parent::is_available() && in_array( $this->method, tillkit_settings()['methods'], true ) && tillkit_takes_currency( $this->method, tillkit_page_currency() );
	}

	public function icons(): array {
		return tillkit_method_icons( $this->method );
	}

	/** The order gets the common payment method before its pay link exists. */
	public function process_payment( $order_id ) {
		$order = wc_get_order( $order_id );
		if ( $order instanceof WC_Order ) {
			$order->set_payment_method( 'tillkit' );
			$order->set_payment_method_title( $this->get_title() );
			$order->save();
		}
		return parent::process_payment( $order_id );
	}
}
