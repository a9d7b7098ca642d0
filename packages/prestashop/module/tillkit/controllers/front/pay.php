<?php
/** The shopper presses Pay: at the checkout by a form with the cart, and later by a link with the order and its key. */

defined( '_PS_VERSION_' ) || exit;

class TillkitPayModuleFrontController extends ModuleFrontController {

	public function postProcess(): void {
		if ( 'POST' === $_SERVER['REQUEST_METHOD'] && '' !== tillkit_requested( 'cart' ) ) {
			$order = tillkit_order_of_checkout( (int) tillkit_requested( 'cart' ), $this->module );
		} else {
			$order = tillkit_order_of_link( tillkit_requested( 'order' ), tillkit_requested( 'key' ) );
		}
		$link = null === $order ? null : tillkit_start_payment( $order, time() );
		if ( null !== $link ) {
			tillkit_redirect( $link );
		}
		$this->errors[] = tillkit_text( 'This payment method is not available right now. Please choose another one.' );
		$this->redirectWithNotifications( $this->context->link->getPageLink( 'order', true ) );
	}
}
